"""The files that the catalogue names: those that count, those that were merged away, and where their bytes lie now."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pyarrow.dataset
from sqlalchemy import Connection, bindparam, select

from broadsheet.archive import kept_ranges, parquet_files, tables, tombstones
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.prepared_queries import PreparedQuery

_FILES = select(tables.files).order_by(tables.files.c.kind, tables.files.c.first_visit, tables.files.c.id)
_CURRENT_FILES = PreparedQuery(
    _FILES.where(tables.files.c.kind == bindparam("its_kind"), tables.files.c.retired.is_(None))
)


class FileRow(NamedTuple):
    """A file that a transaction named."""

    id: int
    kind: str
    name: str
    size: int
    rows: int
    first_visit: int
    last_visit: int
    retired: datetime | None


def files(connection: Connection, kind: str | None = None, *, retired: bool = False) -> list[FileRow]:
    """Return the files in the order of their visits; those that were merged into others only if asked for."""
    if kind is not None and not retired:
        return [FileRow(*row) for row in _CURRENT_FILES.rows(connection, its_kind=kind)]
    query = _FILES if kind is None else _FILES.where(tables.files.c.kind == kind)
    if not retired:
        query = query.where(tables.files.c.retired.is_(None))
    return [FileRow(*row) for row in connection.execute(query)]


def moved(connection: Connection, place: RecordPlace) -> RecordPlace | None:
    """Return where a record lies now whose WARC file was merged into another; None if it was not, or is forgotten."""
    fields = tables.moved.c
    query = select(tables.files.c.name, tables.files.c.size, fields.base, fields.kept)
    found = connection.execute(
        query.join_from(tables.moved, tables.files).where(fields.name == place.warc)
    ).one_or_none()
    if found is None:
        return None
    for part in kept_ranges.lying_parts(found.kept, found.base, found.size):
        if part.start <= place.offset < part.stop:
            return RecordPlace(found.name, place.offset + part.shift, place.length)
    return None


def dataset(folder: Path, connection: Connection, kind: str) -> pyarrow.dataset.Dataset:
    """Return the rows of all committed files of a kind, but for those that concern forgotten pages."""
    paths = [folder / kind / file.name for file in files(connection, kind)]
    return parquet_files.dataset(kind, paths, tombstones.forgotten_pages(connection))
