"""Whether the rows of the catalogue can be read, and agree with each other and with the visits."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Integer, RowMapping, Table, func, select

from broadsheet.archive import (
    article_json,
    article_versions,
    catalogue,
    checked_rows,
    front_rows,
    log_rows,
    page_rows,
    source_rows,
    tables,
    tallies,
    tombstones,
)
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.folder import CATALOGUE, TOMBSTONES
from broadsheet.archive.problem import Problem
from broadsheet.archive.shards import first_visit_of, shard_of
from broadsheet.archive.warc_reading import Asking

#: What reads a row of each table beside that of versions; None where only the types of its columns can be checked.
READERS: dict[Table, Callable[[RowMapping], object] | None] = {
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


def check_tallies(connection: Connection) -> Iterator[Problem]:
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


def check_tombstones(folder: Path, connection: Connection) -> Iterator[Problem]:
    """Compare the tombstones with the file beside the catalogue, and make sure that what they stand for is gone."""
    wrong = tombstones.file_problem(folder, connection)
    if wrong:
        yield Problem(TOMBSTONES, wrong)
    buried = select(tables.tombstones.c.key).where(tables.tombstones.c.scope == "page")
    for column in (tables.versions.c.key, tables.contents.c.page, tables.pages.c.key):
        for key in connection.execute(select(column).where(column.in_(buried)).distinct()).scalars():
            yield Problem(f"page {key}", f"was forgotten, but is still in the table {column.table.name}")


def check_articles(ask: Asking) -> Iterator[Problem]:
    """Compare every version of every article with its digest and its fingerprint."""
    damaged: list[DamagedRow] = []
    numbers = ask(article_versions.row_numbers)
    for start in range(0, len(numbers), _ARTICLES_AT_ONCE):
        some = numbers[start : start + _ARTICLES_AT_ONCE]
        for read in ask(partial(article_versions.read, numbers=some)):
            if isinstance(read, DamagedRow):
                damaged.append(read)
            elif article_json.fingerprint(read.stored.article) != read.fingerprint:
                where = f"article {read.stored.key}, version {read.stored.version}"
                yield Problem(where, "its text does not match its fingerprint")
    yield from (Problem(CATALOGUE, str(error)) for error in damaged)


def check_rows(connection: Connection, table: Table, read: Callable[[RowMapping], object] | None) -> Iterator[Problem]:
    """Read the rows of a table, each of which names itself where it cannot be read."""
    for row in connection.execution_options(yield_per=1_000).execute(select(table)).mappings():
        try:
            if read is None:
                checked_rows.require_types(table, row, f"{table.name} {next(iter(row.values()))}")
            else:
                read(row)
        except DamagedRow as error:
            yield Problem(CATALOGUE, str(error))


def check_references(connection: Connection, table: Any, marks: Mapping[int, int]) -> Iterator[Problem]:  # noqa: ANN401 - no types
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
