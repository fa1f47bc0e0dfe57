"""Whether an archive is whole: files against rows, records against digests, rows against each other."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection, Integer, RowMapping, Table, func, select
from sqlalchemy.exc import DBAPIError

from broadsheet.archive import article_json, catalogue, parquet_files, rows, tables, warc
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow, from_database
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.database import integrity
from broadsheet.archive.durable_files import is_intact
from broadsheet.archive.folder import CATALOGUE
from broadsheet.archive.leftovers import Holdings, leftovers
from broadsheet.archive.problem import Problem
from broadsheet.archive.seal import seal_problem
from broadsheet.archive.shards import VISITS_PER_SHARD

#: What reads a row of each table beside that of versions; None where only the types of its columns can be checked.
_READERS: dict[Table, Callable[[RowMapping], object] | None] = {
    tables.sources: rows.to_source,
    tables.pages: None,
    tables.fetches: rows.to_fetch,
    tables.verdicts: rows.to_verdict,
    tables.members: rows.to_member,
    tables.agenda: rows.to_entry,
    tables.contents: None,
    tables.commits: None,
    tables.counters: None,
    tables.incidents: None,
}


@dataclass(frozen=True, slots=True)
class _Named:
    """A record that rows name, and what they say of it."""

    offset: int
    length: int
    by: str
    digest: str | None = None


def check(folder: Path, connection: Connection, *, is_written_to: bool) -> Iterator[Problem]:
    """Give all that is wrong; what cannot be looked at is a problem too, and hides nothing else."""
    yield from _guarded(folder, lambda: _catalogue(folder, connection))
    try:
        files = catalogue.files(connection, retired=True)
    except (ArchiveError, DBAPIError) as error:
        yield _unreadable(folder, error)
        return
    sound = []
    for file in files:
        problem = _file(folder, file)
        if problem is None:
            sound.append(file)
        else:
            yield problem
    visits = [file for file in sound if file.kind == "visits" and file.retired is None]
    table = parquet_files.dataset("visits", [folder / "visits" / file.name for file in visits]).to_table()
    parts: tuple[Callable[[], Iterator[Problem]], ...] = (
        lambda: _visits(connection, table),
        lambda: _occurrences(folder, sound, table),
        lambda: _records(folder, connection, sound, table),
        lambda: _rows(connection, table),
        lambda: _articles(connection),
        *(partial(_rows_of, connection, table, read) for table, read in _READERS.items()),
        lambda: leftovers(
            folder,
            {(file.kind, file.name) for file in files},
            lambda: _holdings(table),
            is_written_to=is_written_to,
        ),
    )
    for part in parts:
        yield from _guarded(folder, part)


def _guarded(folder: Path, part: Callable[[], Iterable[Problem]]) -> Iterator[Problem]:
    """Give what a part of the check finds, and as a last problem what kept it from going on."""
    try:
        yield from part()
    except (ArchiveError, DBAPIError) as error:
        yield _unreadable(folder, error)


def _unreadable(folder: Path, error: ArchiveError | DBAPIError) -> Problem:
    return Problem(CATALOGUE, str(from_database(error, folder) if isinstance(error, DBAPIError) else error))


def _catalogue(folder: Path, connection: Connection) -> Iterator[Problem]:
    """Check the file of the catalogue itself."""
    broken = seal_problem(folder)
    if broken:
        yield Problem(CATALOGUE, broken)
    for complaint in integrity(connection):
        yield Problem(CATALOGUE, complaint)


def _holdings(table: Any) -> Holdings:  # noqa: ANN401 - pyarrow has no types
    answers = zip(table["url"].to_pylist(), table["digest"].to_pylist(), strict=True)
    return Holdings(set(table["visit"].to_pylist()), set(answers))


def _articles(connection: Connection) -> Iterator[Problem]:
    """Compare every version of every article with its digest and its fingerprint."""
    damaged: list[DamagedRow] = []
    for row, stored in catalogue.every_version(connection, damaged.append):
        if article_json.fingerprint(stored.article) != row["fingerprint"]:
            yield Problem(f"article {stored.key}, version {stored.version}", "its text does not match its fingerprint")
    yield from (Problem(CATALOGUE, str(error)) for error in damaged)


def _rows_of(connection: Connection, table: Table, read: Callable[[RowMapping], object] | None) -> Iterator[Problem]:
    """Read the rows of a table, each of which names itself where it cannot be read."""
    for row in connection.execution_options(yield_per=1_000).execute(select(table)).mappings():
        try:
            if read is None:
                rows.require_types(table, row, f"{table.name} {next(iter(row.values()))}")
            else:
                read(row)
        except DamagedRow as error:
            yield Problem(CATALOGUE, str(error))


def _file(folder: Path, file: FileRow) -> Problem | None:
    """Compare a file with its row."""
    path, where = folder / file.kind / file.name, f"{file.kind}/{file.name}"
    try:
        size = path.stat().st_size
        if size != file.size:
            return Problem(where, f"has {size:,} bytes instead of {file.size:,}")
        if not is_intact(path):
            return Problem(where, "its content differs from what was written")
    except FileNotFoundError:
        # One that was merged into another is removed before its row is.
        return None if file.retired else Problem(where, "is missing")
    except OSError as error:
        return Problem(where, f"cannot be read: {error.strerror}")
    return _parquet(path, where, file) if file.kind in parquet_files.SCHEMAS else None


def _parquet(path: Path, where: str, file: FileRow) -> Problem | None:
    try:
        with pq.ParquetFile(path) as opened:
            schema, number = opened.schema_arrow, opened.metadata.num_rows
    except pa.ArrowException as error:
        return Problem(where, f"is not a Parquet file: {error}")
    if not parquet_files.has_columns(file.kind, schema):
        return Problem(where, "has the wrong columns")
    if number != file.rows:
        return Problem(where, f"has {number:,} rows instead of {file.rows:,}")
    return None


def _visits(connection: Connection, table: Any) -> Iterator[Problem]:  # noqa: ANN401 - pyarrow has no types
    """Compare visits with each other and with the high-water mark."""
    numbers = table["visit"].to_numpy()
    known, counts = np.unique(numbers, return_counts=True)
    for visit in known[counts > 1]:
        yield Problem(f"visit {visit}", "is stored more than once")
    for shard in np.unique(known // VISITS_PER_SHARD):
        last, mark = known[known // VISITS_PER_SHARD == shard][-1], catalogue.last_visit(connection, int(shard))
        if last > mark:
            yield Problem(f"visit {last}", f"is later than the last committed visit, {mark}")
    same = table["same_as"].drop_null().to_numpy()
    for visit in np.setdiff1d(same, known):
        yield Problem(f"visit {visit}", "is referred to by another visit, but is missing")


def _occurrences(folder: Path, files: list[FileRow], table: Any) -> Iterator[Problem]:  # noqa: ANN401 - no types
    """Make sure that every occurrence belongs to a visit."""
    known = table["visit"].to_numpy()
    for file in files:
        if file.kind == "occurrences" and file.retired is None:
            visits = pq.read_table(folder / file.kind / file.name, columns=["visit"])["visit"].to_numpy()
            for visit in np.setdiff1d(visits, known):
                yield Problem(f"{file.kind}/{file.name}", f"has links of visit {visit}, which is missing")


def _records(
    folder: Path,
    connection: Connection,
    files: list[FileRow],
    table: Any,  # noqa: ANN401 - pyarrow has no types
) -> Iterator[Problem]:
    """Read every record that a row names where it should lie."""
    named = _named(connection, table)
    for file in files:
        if file.kind == "warc" and file.retired is None:
            yield from _records_of(folder / "warc" / file.name, named.pop(file.name, []))
    missing = {file.name for file in catalogue.files(connection, "warc")}
    for name, records in named.items():
        # A file that is named but not sound was reported already.
        if name not in missing:
            yield Problem(f"warc/{name}", f"is not a file of the archive, although {records[0].by} refers to it")


def _named(connection: Connection, table: Any) -> dict[str, list[_Named]]:  # noqa: ANN401 - pyarrow has no types
    found: dict[str, list[_Named]] = {}
    for row in table.select(["visit", "warc", "offset", "length", "digest", "same_as"]).to_pylist():
        record = _Named(row["offset"], row["length"], f"visit {row['visit']}", row["digest"])
        found.setdefault(row["warc"], []).append(record)
    for owner in (tables.versions, tables.contents):
        query = select(owner.c.visit, tables.files.c.name, owner.c.offset, owner.c.length).join(tables.files)
        for visit, name, offset, length in connection.execute(query):
            record = _Named(offset, length, f"the {owner.name} of visit {visit}")
            found.setdefault(name, []).append(record)
    return found


def _records_of(path: Path, named: list[_Named]) -> Iterator[Problem]:
    with path.open("rb") as file:
        for record in named:
            file.seek(record.offset)
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


def _rows(connection: Connection, table: Any) -> Iterator[Problem]:  # noqa: ANN401 - pyarrow has no types
    """Compare the catalogue's rows with the visits and with each other."""
    known = set(table["visit"].to_pylist())
    versions, contents, fetches = tables.versions.c, tables.contents.c, tables.fetches.c
    for key, number, visit in connection.execute(select(versions.key, versions.version, versions.visit)):
        if visit not in known:
            yield Problem(f"article {key}, version {number}", f"was read from visit {visit}, which is missing")
    for key, visit in connection.execute(select(contents.page, contents.visit)):
        if visit not in known:
            yield Problem(f"page {key}", f"has its content from visit {visit}, which is missing")
    latest = func.sum(versions.latest.cast(Integer))
    summed = select(versions.key, latest, func.max(versions.version), func.count()).group_by(versions.key)
    for key, newest, highest, number in connection.execute(summed):
        if newest != 1 or highest != number:
            yield Problem(
                f"article {key}", f"has {number} versions up to number {highest}, {newest} of them the latest"
            )
    kept = select(contents.page)
    validated = (fetches.etag.is_not(None)) | (fetches.last_modified.is_not(None))
    for (key,) in connection.execute(select(fetches.page).where(validated, fetches.page.not_in(kept))):
        yield Problem(f"page {key}", "is only requested if it has changed, although its content was never kept")
