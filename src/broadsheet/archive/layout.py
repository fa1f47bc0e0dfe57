"""What an archive's folder is made of, and in which versions."""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID, uuid4

from sqlalchemy import Connection, insert, inspect, select

from broadsheet.archive import tables
from broadsheet.archive.database import NAME, Database
from broadsheet.archive.errors import ArchiveError, from_system
from broadsheet.base import urls
from broadsheet.base.clock import Clock

#: Rises whenever tables, Parquet schemas or the meaning of either change.
LAYOUT = 1
KINDS = ("warc", "visits", "occurrences")
SUFFIXES = {"warc": ".warc.gz", "visits": ".parquet", "occurrences": ".parquet"}

_OURS = {*KINDS, NAME, f"{NAME}-wal", f"{NAME}-shm", f"{NAME}-journal"}


def create(folder: Path, clock: Clock) -> None:
    """Make a folder an archive, unless it is one; a creation that was interrupted is completed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in _OURS)
        if foreign and not (folder / NAME).exists():
            raise ArchiveError(f"{folder}: holds other files ({foreign[0]}, …) and no archive; name an empty folder")
        for kind in KINDS:
            (folder / kind).mkdir(exist_ok=True)
    except OSError as error:
        raise from_system(error, folder) from error
    database = Database(folder, writable=True)
    try:
        with database.writing() as connection:
            if not inspect(connection).get_table_names():
                tables.metadata.create_all(connection)
                connection.execute(insert(tables.meta), _first_values(clock))
    finally:
        database.close()


def is_there(folder: Path) -> bool:
    """Say whether the folder has a catalogue."""
    try:
        return (folder / NAME).is_file()
    except OSError as error:
        raise ArchiveError(f"{folder}: cannot be looked into: {error.strerror}") from error


def require(folder: Path) -> None:
    """Refuse a folder that is not there, or is no archive."""
    if not is_there(folder):
        what = "is no archive (it has no catalogue.sqlite)" if folder.exists() else "there is no such folder"
        raise ArchiveError(f"{folder}: {what}")


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
    if not inspect(connection).has_table(tables.meta.name):
        raise ArchiveError(f"{folder}: its catalogue has no tables of an archive")
    values: Mapping[str, str] = {row.name: row.value for row in connection.execute(select(tables.meta))}
    try:
        layout, keys, archive = int(values["layout"]), int(values["key_version"]), UUID(values["archive"])
    except (KeyError, ValueError) as error:
        raise ArchiveError(f"{folder}: its catalogue is no archive's, or is damaged") from error
    if layout != LAYOUT:
        age = "a newer" if layout > LAYOUT else "an older"
        raise ArchiveError(f"{folder}: was written by {age} version of this program (layout {layout}, not {LAYOUT})")
    if keys != urls.KEY_VERSION:
        raise ArchiveError(
            f"{folder}: knows its pages by keys of version {keys}, which this program does not make"
            f" (it makes {urls.KEY_VERSION})"
        )
    return archive


def _first_values(clock: Clock) -> list[dict[str, str]]:
    values = {
        "layout": str(LAYOUT),
        "key_version": str(urls.KEY_VERSION),
        "archive": str(uuid4()),
        "created": clock.now().isoformat(),
        "last_visit": "0",
    }
    return [{"name": name, "value": value} for name, value in values.items()]
