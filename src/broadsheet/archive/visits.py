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
    found = _rows(folder, connection, "visits", visit).to_pylist()
    if not found:
        raise ArchiveError(f"{folder}: has no visit {visit}")
    only: dict[str, Any] = found[0]
    return only


def links(folder: Path, connection: Connection, visit: int) -> list[tuple[str, str, str | None]]:
    """Return key, address and text of each link that a visit found."""
    found = _rows(folder, connection, "occurrences", visit)
    columns = (found[name].to_pylist() for name in ("target", "url", "anchor"))
    return list(zip(*columns, strict=True))


def _rows(folder: Path, connection: Connection, kind: str, visit: int) -> Any:  # noqa: ANN401 - pyarrow has no types
    files = catalogue.files(connection, kind)
    paths = [folder / kind / file.name for file in files if file.first_visit <= visit <= file.last_visit]
    return parquet_files.dataset(kind, paths).to_table(filter=pc.field("visit") == visit)


def kept(folder: Path, connection: Connection, visit: int) -> catalogue.Kept:
    """Return where and when a visit's answer was kept."""
    found = row(folder, connection, visit)
    return catalogue.Kept(RecordPlace(found["warc"], found["offset"], found["length"]), found["fetched_at"])
