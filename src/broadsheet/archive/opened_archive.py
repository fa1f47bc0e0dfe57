"""An archive that was opened for reading: its folder, transactions on its catalogue, and its sources."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from broadsheet.archive import catalogue, layout
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.database import Database
from broadsheet.archive.source_records import SourceRecord
from broadsheet.base import urls
from broadsheet.base.closable import Closable

T = TypeVar("T")


class OpenedArchive(Closable):
    """What everything reads an archive through."""

    def __init__(self, folder: Path, database: Database) -> None:
        """Read an archive that was opened; `Store.open` does that."""
        self.folder = folder
        self._database = database
        self.id = self._ask(lambda connection: layout.identity(folder, connection))

    def close(self) -> None:
        """Let go of the catalogue."""
        self._database.close()

    def sources(self) -> list[SourceRecord]:
        """Return all sources, in the order they were added."""
        return self._ask(catalogue.sources)

    def find_source(self, address: str) -> SourceRecord:
        """Return the source of an address or key."""
        known = {source.key: source for source in self.sources()}
        found = known.get(address) or known.get(urls.key(address))
        if found is None:
            names = ", ".join(known) or "none"
            raise ArchiveError(f"{self.folder}: does not follow {address}; its sources are {names}")
        return found

    def _key(self, source: str | None) -> str | None:
        return None if source is None else self.find_source(source).key

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._database.reading() as connection:
            return question(connection)
