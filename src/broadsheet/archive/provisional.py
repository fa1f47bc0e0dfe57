"""An archive that a run is about to make, and that it takes away again if nothing came into it."""

import shutil
from contextlib import suppress
from pathlib import Path

from sqlalchemy import select

from broadsheet.archive import layout, tables
from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.database import Database
from broadsheet.archive.folder import CATALOGUE, JOURNALS, KINDS, SEAL, has_files


class ProvisionalArchive:
    """Remembers what was there before an archive was made in a folder."""

    def __init__(self, folder: Path) -> None:
        """Look at the folder before anything is made in it."""
        self._folder = folder
        self._is_new = not layout.is_there(folder) and not has_files(folder)
        #: The folders that will have to be made, the innermost first.
        self._missing = [path for path in (folder, *folder.parents) if not path.exists()]

    def withdraw(self) -> None:
        """Remove the archive and the folders made for it, unless it is older than this run or somebody needs it."""
        if not self._is_new or not layout.is_there(self._folder) or self._is_needed():
            return
        try:
            for name in (*JOURNALS, SEAL, CATALOGUE):
                (self._folder / name).unlink(missing_ok=True)
            for kind in KINDS:
                shutil.rmtree(self._folder / kind)
        except OSError as error:
            raise from_system(error, self._folder) from error
        # A folder in which somebody else has put something meanwhile stays.
        with suppress(OSError):
            for path in self._missing:
                path.rmdir()

    def _is_needed(self) -> bool:
        """Say whether somebody writes to the archive, or a page has come into it; that may be another run's."""
        database = Database(self._folder)
        try:
            with database.reading() as connection:
                held = connection.execute(select(tables.lease.c.id).limit(1)).first()
                fetched = select(tables.fetches.c.page).where(tables.fetches.c.fetched_at.is_not(None))
                return held is not None or connection.execute(fetched.limit(1)).first() is not None
        finally:
            database.close()
