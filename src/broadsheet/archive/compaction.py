"""Many small Parquet files become one; the old ones stay for a while, for whoever is reading them."""

from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select, update

from broadsheet.archive import catalogue, parquet_files, tables
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.durable_files import PUT_STEPS, Announce, Stored, put

#: More files than this of a kind are merged, of those that are small, into one that fits into memory.
MOST_FILES = 64
SMALL_BYTES = 16_000_000
MERGED_BYTES = 128_000_000
#: How long a file that was merged into another is kept for readers that opened it before.
GRACE = timedelta(hours=1)

COMPACTED = ("visits", "occurrences")
#: What is announced while files are merged, in order.
COMPACTION_STEPS = (
    *(f"{step} merged {kind}" for kind in COMPACTED for step in PUT_STEPS),
    "before transaction of merging",
    "in transaction of merging",
    "after transaction of merging",
)


def due(connection: Connection, kind: str, most: int) -> list[FileRow]:
    """Return the files to merge; none while they are few."""
    small = [file for file in catalogue.files(connection, kind) if file.size < SMALL_BYTES]
    if len(small) <= max(most, 1):
        return []
    sizes = accumulate(file.size for file in small)
    return [file for file, size in zip(small, sizes, strict=True) if size <= MERGED_BYTES]


def merge(folder: Path, kind: str, files: list[FileRow], announce: Announce) -> Stored:
    """Make one durable file of several."""
    data = parquet_files.merged(kind, [folder / kind / file.name for file in files])
    return put(folder, kind, data, announce, f"merged {kind}")


def replace(connection: Connection, files: list[FileRow], stored: Stored, now: datetime) -> None:
    """Name the one file in place of the several."""
    old = [file.id for file in files]
    connection.execute(update(tables.files).where(tables.files.c.id.in_(old)).values(retired=now))
    row = {
        "kind": stored.kind,
        "name": stored.name,
        "size": stored.size,
        "rows": sum(file.rows for file in files),
        "first_visit": min(file.first_visit for file in files),
        "last_visit": max(file.last_visit for file in files),
    }
    connection.execute(insert(tables.files).values(row))


def expired(connection: Connection, now: datetime) -> list[FileRow]:
    """Return the files that were merged long enough ago for nobody to be reading them."""
    query = select(tables.files).where(tables.files.c.retired < now - GRACE)
    return [FileRow(*row) for row in connection.execute(query)]


def forget(connection: Connection, files: list[FileRow]) -> None:
    """Take out the names of files that were removed."""
    connection.execute(delete(tables.files).where(tables.files.c.id.in_([file.id for file in files])))
