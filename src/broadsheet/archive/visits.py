"""Visits that were committed, looked up one by one."""

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from sqlalchemy import Connection

from broadsheet.archive import catalogue, parquet_files
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.archive_records import RecordPlace


def row(folder: Path, connection: Connection, visit: int) -> dict[str, Any]:
    """Return a visit's row; only the files that can hold it are read."""
    files = catalogue.files(connection, "visits")
    paths = [folder / "visits" / file.name for file in files if file.first_visit <= visit <= file.last_visit]
    found = parquet_files.dataset("visits", paths).to_table(filter=pc.field("visit") == visit).to_pylist()
    if not found:
        raise ArchiveError(f"{folder}: has no visit {visit}")
    only: dict[str, Any] = found[0]
    return only


def kept(folder: Path, connection: Connection, visit: int) -> catalogue.Kept:
    """Return where and when a visit's answer was kept."""
    found = row(folder, connection, visit)
    return catalogue.Kept(RecordPlace(found["warc"], found["offset"], found["length"]), found["fetched_at"])
