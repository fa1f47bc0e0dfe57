"""Whether an archive is whole: files against rows, records against digests, rows against each other."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import Connection, Integer, RowMapping, Table, func, select

from broadsheet.archive import (
    article_json,
    catalogue,
    checked_rows,
    front_rows,
    log_rows,
    page_rows,
    parquet_files,
    source_rows,
    tables,
    tallies,
    text_index,
    tombstones,
    warc,
)
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.database import integrity
from broadsheet.archive.durable_files import is_intact
from broadsheet.archive.folder import CATALOGUE, TOMBSTONES
from broadsheet.archive.leftovers import Holdings, leftovers
from broadsheet.archive.problem import Problem
from broadsheet.archive.seal import seal_problem
from broadsheet.archive.shards import VISITS_PER_SHARD, first_visit_of, shard_of
from broadsheet.archive.warc_reading import Asking

#: What reads a row of each table beside that of versions; None where only the types of its columns can be checked.
_READERS: dict[Table, Callable[[RowMapping], object] | None] = {
    tables.sources: source_rows.to_source,
    tables.pages: None,
    tables.fetches: page_rows.to_fetch,
    tables.verdicts: page_rows.to_verdict,
    tables.members: page_rows.to_member,
    tables.agenda: page_rows.to_entry,
    tables.feeds: front_rows.to_feed,
    tables.fronts: front_rows.to_front,
    tables.contents: None,
    tables.moved: checked_rows.to_kept_ranges,
    tables.commits: None,
    tables.counters: None,
    tables.tallies: None,
    tables.incidents: None,
    tables.events: log_rows.to_event,
    tables.tombstones: log_rows.to_tombstone,
    tables.earlier_verdicts: page_rows.to_verdict,
    tables.rereads: log_rows.to_reread,
    tables.orders: source_rows.to_order,
    tables.sketches: None,
    tables.sketch_hashes: None,
    tables.deliveries: None,
    tables.prunings: None,
}
_ARTICLES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class _Named:
    """A record that rows name, and what they say of it."""

    offset: int
    length: int
    by: str
    digest: str | None = None


def check(folder: Path, ask: Asking, archive: str, *, is_written_to: bool) -> Iterator[Problem]:
    """Give all that is wrong; what cannot be looked at is a problem too, and hides nothing else.

    No transaction is open while the caller works with a problem, or while files are read. What is committed or merged
    in the meantime is left out.
    """
    yield from _asked(ask, lambda connection: _catalogue(folder, connection))
    try:
        files, marks, forgotten = ask(
            lambda connection: (
                catalogue.files(connection, retired=True),
                catalogue.last_visits(connection),
                tombstones.forgotten_pages(connection),
            )
        )
        named: dict[str, list[_Named]] = {}
    except ArchiveError as error:
        yield _unreadable(error)
        return
    try:
        # In one transaction, because merging changes both.
        files, marks, forgotten, named = ask(
            lambda connection: (
                catalogue.files(connection, retired=True),
                catalogue.last_visits(connection),
                tombstones.forgotten_pages(connection),
                _named(connection),
            )
        )
    except ArchiveError as error:
        yield _unreadable(error)
    sound: list[FileRow] = []
    yield from _sound(folder, ask, [file for file in files if file.kind != "warc"], sound)
    visits = [folder / "visits" / file.name for file in sound if file.kind == "visits" and file.retired is None]
    # Of what was forgotten some rows may have been merged away already, and others not.
    table = parquet_files.dataset("visits", visits, forgotten).to_table()
    yield from _guarded(lambda: _visits(marks, table))
    yield from _guarded(lambda: _occurrences(folder, sound, table, forgotten))
    yield from _sound(folder, ask, [file for file in files if file.kind == "warc"], sound)
    parts: tuple[Callable[[], Iterable[Problem]], ...] = (
        lambda: _records(folder, ask, files, sound, _with_visits(named, table)),
        lambda: _asked(ask, lambda connection: _rows(connection, table, marks)),
        lambda: _articles(ask),
        *(partial(_asked, ask, partial(_rows_of, table=own, read=read)) for own, read in _READERS.items()),
        lambda: _asked(ask, lambda connection: _tombstones(folder, connection)),
        lambda: _asked(ask, _tallies),
        lambda: _index(text_index.TextIndex(folder, archive, ask)),
        lambda: leftovers(
            folder,
            {(file.kind, file.name) for file in files},
            lambda: _holdings(table, forgotten),
            is_written_to=is_written_to,
        ),
    )
    for part in parts:
        yield from _guarded(part)


def _sound(folder: Path, ask: Asking, files: Iterable[FileRow], sound: list[FileRow]) -> Iterator[Problem]:
    """Give what is wrong with files, and add those with which nothing is to a list."""
    for file in files:
        problem = _file(folder, file)
        if problem is None:
            sound.append(file)
        elif (folder / file.kind / file.name).exists() or _is_current(ask, file):
            yield problem


def _is_current(ask: Asking, file: FileRow) -> bool:
    """Say whether a file still belongs to the archive, and was not merged and removed since it was listed."""
    return any(other.id == file.id for other in ask(lambda connection: catalogue.files(connection, file.kind)))


def _guarded(part: Callable[[], Iterable[Problem]]) -> Iterator[Problem]:
    """Give what a part of the check finds, and as a last problem what kept it from going on."""
    try:
        yield from part()
    except ArchiveError as error:
        yield _unreadable(error)


def _asked(ask: Asking, part: Callable[[Connection], Iterable[Problem]]) -> Iterator[Problem]:
    """Give what a part of the check finds in one transaction, which is over before the first problem is given."""
    found: list[Problem] = []
    try:
        ask(lambda connection: found.extend(part(connection)))
    except ArchiveError as error:
        found.append(_unreadable(error))
    yield from found


def _unreadable(error: ArchiveError) -> Problem:
    return Problem(CATALOGUE, str(error))


def _catalogue(folder: Path, connection: Connection) -> Iterator[Problem]:
    """Check the file of the catalogue itself."""
    broken = seal_problem(folder)
    if broken:
        yield Problem(CATALOGUE, broken)
    for complaint in integrity(connection):
        yield Problem(CATALOGUE, complaint)


def _tallies(connection: Connection) -> Iterator[Problem]:
    """Compare the numbers that are kept with what they count."""
    counted = tallies.count(connection)
    for name in (tallies.PAGES, tallies.ARTICLES, tallies.ARTICLES_BY_DAY, tallies.VERSIONS):
        kept = {(name, label, source): number for source, label, number in tallies.kept(connection, name)}
        right = {tally: number for tally, number in counted.items() if tally[0] == name}
        for tally in sorted(kept.keys() | right.keys()):
            stated, number = kept.get(tally, 0), right.get(tally, 0)
            if stated != number:
                where = f"source {tally[2]}"
                what = (
                    f"its number of {' '.join(filter(None, tally[:2]))} is kept as {stated:,}, but there are {number:,}"
                )
                yield Problem(where, f"{what}; `broadsheet repair` counts again", True)


def _index(index: text_index.TextIndex) -> Iterator[Problem]:
    """Check the index of words, which nothing depends on."""
    wrong = index.problem()
    if wrong is not None:
        yield Problem(index.path.name, f"{wrong}; the next search makes it anew", True)


def _tombstones(folder: Path, connection: Connection) -> Iterator[Problem]:
    """Compare the tombstones with the file beside the catalogue, and make sure that what they stand for is gone."""
    wrong = tombstones.file_problem(folder, connection)
    if wrong:
        yield Problem(TOMBSTONES, wrong)
    buried = select(tables.tombstones.c.key).where(tables.tombstones.c.scope == "page")
    for column in (tables.versions.c.key, tables.contents.c.page, tables.pages.c.key):
        for key in connection.execute(select(column).where(column.in_(buried)).distinct()).scalars():
            yield Problem(f"page {key}", f"was forgotten, but is still in the table {column.table.name}")


def _holdings(table: Any, forgotten: frozenset[str]) -> Holdings:  # noqa: ANN401 - pyarrow has no types
    answers = zip(table["url"].to_pylist(), table["digest"].to_pylist(), strict=True)
    return Holdings(set(table["visit"].to_pylist()), set(answers), forgotten)


def _articles(ask: Asking) -> Iterator[Problem]:
    """Compare every version of every article with its digest and its fingerprint."""
    damaged: list[DamagedRow] = []
    numbers = ask(catalogue.version_rows)
    for start in range(0, len(numbers), _ARTICLES_AT_ONCE):
        some = numbers[start : start + _ARTICLES_AT_ONCE]
        for read in ask(partial(catalogue.articles, numbers=some)):
            if isinstance(read, DamagedRow):
                damaged.append(read)
            elif article_json.fingerprint(read.stored.article) != read.fingerprint:
                where = f"article {read.stored.key}, version {read.stored.version}"
                yield Problem(where, "its text does not match its fingerprint")
    yield from (Problem(CATALOGUE, str(error)) for error in damaged)


def _rows_of(connection: Connection, table: Table, read: Callable[[RowMapping], object] | None) -> Iterator[Problem]:
    """Read the rows of a table, each of which names itself where it cannot be read."""
    for row in connection.execution_options(yield_per=1_000).execute(select(table)).mappings():
        try:
            if read is None:
                checked_rows.require_types(table, row, f"{table.name} {next(iter(row.values()))}")
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


def _visits(marks: Mapping[int, int], table: Any) -> Iterator[Problem]:  # noqa: ANN401 - pyarrow has no types
    """Compare visits with each other and with the high-water mark of their shard."""
    numbers = table["visit"].to_numpy()
    known, counts = np.unique(numbers, return_counts=True)
    for visit in known[counts > 1]:
        yield Problem(f"visit {visit}", "is stored more than once")
    for shard in np.unique(known // VISITS_PER_SHARD).tolist():
        last, mark = known[known // VISITS_PER_SHARD == shard][-1], marks.get(shard, first_visit_of(shard))
        if last > mark:
            yield Problem(f"visit {last}", f"is later than the last committed visit, {mark}")
    same = table["same_as"].drop_null().to_numpy()
    for visit in np.setdiff1d(same, known):
        yield Problem(f"visit {visit}", "is referred to by another visit, but is missing")
    is_removed = pc.equal(table["warc"], parquet_files.REMOVED).to_numpy()
    needed = table.filter(pa.array(~is_removed))["same_as"].drop_null().to_numpy()
    for visit in np.intersect1d(needed, numbers[is_removed]):
        yield Problem(f"visit {visit}", "is referred to by another visit, but its response was removed")


def _occurrences(
    folder: Path,
    files: list[FileRow],
    table: Any,  # noqa: ANN401 - pyarrow has no types
    forgotten: frozenset[str],
) -> Iterator[Problem]:
    """Make sure that every occurrence belongs to a visit."""
    known = table["visit"].to_numpy()
    for file in files:
        if file.kind == "occurrences" and file.retired is None:
            rows_ = parquet_files.dataset("occurrences", [folder / file.kind / file.name], forgotten)
            visits = rows_.to_table(columns=["visit"])["visit"].to_numpy()
            for visit in np.setdiff1d(visits, known):
                yield Problem(f"{file.kind}/{file.name}", f"has links of visit {visit}, which is missing")


def _records(
    folder: Path, ask: Asking, files: list[FileRow], sound: list[FileRow], named: dict[str, list[_Named]]
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


def _with_visits(named: dict[str, list[_Named]], table: Any) -> dict[str, list[_Named]]:  # noqa: ANN401 - no types
    """Return the records that rows of the catalogue name, and those that visits name."""
    found: dict[str, list[_Named]] = {}
    there = table.filter(pc.not_equal(table["warc"], parquet_files.REMOVED))
    for row in there.select(["visit", "warc", "offset", "length", "digest"]).to_pylist():
        record = _Named(row["offset"], row["length"], f"visit {row['visit']}", row["digest"])
        found.setdefault(row["warc"], []).append(record)
    for name, records in named.items():
        found.setdefault(name, []).extend(records)
    return found


def _named(connection: Connection) -> dict[str, list[_Named]]:
    found: dict[str, list[_Named]] = {}
    for owner in (tables.versions, tables.contents):
        query = select(owner.c.visit, tables.files.c.name, owner.c.offset, owner.c.length).join(tables.files)
        for visit, name, offset, length in connection.execute(query):
            record = _Named(offset, length, f"the {owner.name} of visit {visit}")
            found.setdefault(name, []).append(record)
    return found


def _opened(folder: Path, ask: Asking, file: FileRow) -> tuple[BinaryIO, int]:
    """Open a WARC file, or the one that it was merged into meanwhile, and say at which byte it begins there."""
    place: RecordPlace | None = RecordPlace(file.name, 0, file.size)
    while place is not None:
        try:
            return (folder / "warc" / place.warc).open("rb"), place.offset
        except FileNotFoundError:
            place = ask(partial(catalogue.moved, place=place))
    raise ArchiveError(f"warc/{file.name} was removed while it was being checked")


def _records_of(folder: Path, ask: Asking, row: FileRow, named: list[_Named]) -> Iterator[Problem]:
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


def _rows(connection: Connection, table: Any, marks: Mapping[int, int]) -> Iterator[Problem]:  # noqa: ANN401 - no types
    """Compare rows with the visits, as of the high-water marks at which those were read, and with each other."""
    known = set(table["visit"].to_pylist())
    now = catalogue.last_visits(connection)

    def is_missing(visit: int) -> bool:
        shard = shard_of(visit)
        return visit not in known and not marks.get(shard, first_visit_of(shard)) < visit <= now.get(shard, 0)

    versions, contents, fetches = tables.versions.c, tables.contents.c, tables.fetches.c
    for key, number, visit in connection.execute(select(versions.key, versions.version, versions.visit)):
        if is_missing(visit):
            yield Problem(f"article {key}, version {number}", f"was read from visit {visit}, which is missing")
    for key, visit in connection.execute(select(contents.page, contents.visit)):
        if is_missing(visit):
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
