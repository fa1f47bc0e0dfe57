"""Whether the records of WARC files lie where rows say, and are what was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow.compute as pc
from sqlalchemy import Connection, select

from broadsheet.archive import catalogued_files, parquet_files, tables, warc
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.problem import Problem
from broadsheet.archive.warc_reading import Asking


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A record that rows name, and what they say of it."""

    offset: int
    length: int
    by: str
    digest: str | None = None


def check_records(
    folder: Path, ask: Asking, files: list[FileRow], sound: list[FileRow], named: dict[str, list[NamedRecord]]
) -> Iterator[Problem]:
    """Read every record that a row names where it should lie."""
    for file in sound:
        if file.kind == "warc" and file.retired is None:
            yield from _records_of(folder, ask, file, named.get(file.name, []))
    listed = {file.name for file in files if file.retired is None}
    for name, records in named.items():
        # A file that is named but not sound was reported already.
        if name not in listed:
            yield Problem(f"warc/{name}", f"is not a file of the archive, although {records[0].by} refers to it")


def with_visits(named: dict[str, list[NamedRecord]], table: Any) -> dict[str, list[NamedRecord]]:  # noqa: ANN401 - no types
    """Return the records that rows of the catalogue name, and those that visits name."""
    found: dict[str, list[NamedRecord]] = {}
    there = table.filter(pc.not_equal(table["warc"], parquet_files.REMOVED))
    for row in there.select(["visit", "warc", "offset", "length", "digest"]).to_pylist():
        record = NamedRecord(row["offset"], row["length"], f"visit {row['visit']}", row["digest"])
        found.setdefault(row["warc"], []).append(record)
    for name, records in named.items():
        found.setdefault(name, []).extend(records)
    return found


def named_records(connection: Connection) -> dict[str, list[NamedRecord]]:
    """Return the records that rows of the catalogue name, by their files."""
    found: dict[str, list[NamedRecord]] = {}
    for owner in (tables.versions, tables.contents):
        query = select(owner.c.visit, tables.files.c.name, owner.c.offset, owner.c.length).join(tables.files)
        for visit, name, offset, length in connection.execute(query):
            record = NamedRecord(offset, length, f"the {owner.name} of visit {visit}")
            found.setdefault(name, []).append(record)
    return found


def _opened(folder: Path, ask: Asking, file: FileRow) -> tuple[BinaryIO, int]:
    """Open a WARC file, or the one that it was merged into meanwhile, and say at which byte it begins there."""
    place: RecordPlace | None = RecordPlace(file.name, 0, file.size)
    while place is not None:
        try:
            return (folder / "warc" / place.warc).open("rb"), place.offset
        except FileNotFoundError:
            place = ask(partial(catalogued_files.moved, place=place))
    raise ArchiveError(f"warc/{file.name} was removed while it was being checked")


def _records_of(folder: Path, ask: Asking, row: FileRow, named: list[NamedRecord]) -> Iterator[Problem]:
    opened, base = _opened(folder, ask, row)
    path = folder / "warc" / row.name
    with opened as file:
        for record in named:
            file.seek(base + record.offset)
            try:
                found = warc.record(file.read(record.length))
            except warc.RecordError as error:
                yield Problem(f"warc/{path.name}", f"the record of {record.by} cannot be read: {error}")
                continue
            stated = found.headers.get("warc-payload-digest")
            wrong = warc.problem(found)
            if wrong is None and record.digest is not None and stated != record.digest:
                wrong = "it is not the response that was fetched"
            if wrong is not None:
                yield Problem(f"warc/{path.name}", f"the record of {record.by}: {wrong}")
