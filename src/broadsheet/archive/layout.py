"""What makes a folder an archive, and in which versions of the layout."""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID, uuid4

from sqlalchemy import Connection, insert, inspect, select

from broadsheet.archive import migration, tables
from broadsheet.archive.archive_errors import ArchiveError, NoArchive, from_system
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.folder import CATALOGUE, KINDS, OURS, has_files
from broadsheet.base import urls
from broadsheet.base.clock import Clock

#: Rises whenever tables, Parquet schemas or the meaning of either change.
LAYOUT = 11


def create(folder: Path, clock: Clock) -> None:
    """Make a folder an archive, unless it is one; a creation that was interrupted is completed."""
    if folder.is_file():
        raise ArchiveError(f"{folder}: is a file: name a folder for the archive")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if foreign and not (folder / CATALOGUE).exists():
            raise ArchiveError(
                f"{folder}: is not an archive and contains other files ({foreign[0]}, …): choose an empty folder"
            )
        for kind in KINDS:
            (folder / kind).mkdir(exist_ok=True)
    except OSError as error:
        raise from_system(error, folder) from error
    write(folder, first_values(clock))


def write(folder: Path, values: Mapping[str, str]) -> None:
    """Write the empty tables of a catalogue and what it says of itself, unless it has tables already."""
    database = Database(folder, writable=True)
    try:
        with database.writing() as connection:
            if not inspect(connection).get_table_names():
                tables.metadata.create_all(connection)
                connection.execute(
                    insert(tables.meta), [{"name": name, "value": value} for name, value in values.items()]
                )
    finally:
        database.close()


def first_values(clock: Clock, archive: UUID | None = None) -> dict[str, str]:
    """Return what a new catalogue says of itself; one that is rebuilt keeps the archive's id."""
    return {
        "layout": str(LAYOUT),
        "key_version": str(urls.KEY_VERSION),
        "archive": str(archive or uuid4()),
        "created": clock.now().isoformat(),
        "last_visit": "0",
    }


def is_there(folder: Path) -> bool:
    """Say whether the folder has a catalogue."""
    try:
        return (folder / CATALOGUE).is_file()
    except OSError as error:
        raise ArchiveError(f"{folder}: cannot be listed: {error.strerror}") from error


def require(folder: Path) -> None:
    """Refuse a folder that is not there, or is not an archive."""
    if is_there(folder):
        return
    if not folder.exists():
        raise NoArchive(f"{folder}: no such folder")
    if not folder.is_dir():
        raise NoArchive(f"{folder}: is not the folder of an archive, but a file")
    require_no_files(folder)
    raise NoArchive(f"{folder}: is not an archive (it has no {CATALOGUE})")


def require_no_files(folder: Path) -> None:
    """Refuse a folder that lacks its catalogue but not what that named: a new one would know nothing of them."""
    if has_files(folder):
        raise ArchiveError(
            f"{folder}: contains the files of an archive, but its {CATALOGUE} is missing or empty; restore it, together"
            f" with its -wal file if there is one, or run `broadsheet repair {folder}` to rebuild it"
        )


def is_begun(folder: Path) -> bool:
    """Say whether the folder's catalogue was begun, but has no tables because its making was interrupted."""
    if not is_there(folder):
        return False
    database = Database(folder)
    try:
        with database.reading() as connection:
            return not inspect(connection).get_table_names()
    finally:
        database.close()


def identity(folder: Path, connection: Connection) -> UUID:
    """Return the archive's own id, after making sure that this program understands its layout."""
    values = stated(folder, connection)
    try:
        layout, keys, archive = int(values["layout"]), int(values["key_version"]), UUID(values["archive"])
    except (KeyError, ValueError) as error:
        raise ArchiveError(
            f"{folder}: its catalogue is damaged or not that of an archive; try `broadsheet repair`"
        ) from error
    if layout != LAYOUT:
        age = "a newer" if layout > LAYOUT else "an older"
        raise ArchiveError(f"{folder}: was written by {age} version of this program (layout {layout}, not {LAYOUT})")
    if keys != urls.KEY_VERSION:
        raise ArchiveError(
            f"{folder}: identifies its pages by keys of version {keys}, but this program only supports version"
            f" {urls.KEY_VERSION}"
        )
    return archive


def stated(folder: Path, connection: Connection) -> Mapping[str, str]:
    """Return what a catalogue says of itself."""
    if not inspect(connection).has_table(tables.meta.name):
        raise ArchiveError(f"{folder}: its catalogue lacks the tables of an archive; try `broadsheet repair`")
    return {row.name: row.value for row in connection.execute(select(tables.meta))}


def upgrade(folder: Path, announce: Announce = lambda _: None) -> None:
    """Bring an archive of an older layout to this one, where this program knows how.

    `announce` is told the name of every step (`migration.MIGRATION_STEPS`) as it is reached.
    """
    database = Database(folder)
    try:
        with database.reading() as connection:
            layout = stated(folder, connection).get("layout", "")
    finally:
        database.close()
    if layout in migration.EARLIER:
        migration.migrate(folder, LAYOUT, announce)
