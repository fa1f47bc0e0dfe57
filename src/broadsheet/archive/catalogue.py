"""What is asked of the catalogue; every question takes the transaction in which it is asked."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, select

from broadsheet.archive import front_rows, page_rows, source_rows, tables
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.page_records import Membership, PageRecord, ScheduledPage, VisitReason
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.shards import first_visit_of, is_last_visit_mark, last_visit_mark, shard_of
from broadsheet.archive.source_records import SourceRecord
from broadsheet.archive.sql_expressions import among, listed
from broadsheet.base.counters import Counted, Counters
from broadsheet.base.records import Kind

#: SQLite takes a limited number of parameters in one statement.
KEYS_AT_ONCE = 500


class LastContent(NamedTuple):
    """The last content of a page that was kept whole: its visit, digest, address and time."""

    visit: int
    digest: str
    url: str
    at: datetime


class Kept(NamedTuple):
    """Where and when the answer of a committed visit was kept."""

    place: RecordPlace
    at: datetime


_PAGE_COLUMNS = (
    *tables.pages.c,
    *(column for column in tables.fetches.c if column.name != "page"),
    *(column for column in tables.verdicts.c if column.name != "page"),
)


def _joined(left: Any) -> Any:  # noqa: ANN401 - a table, or a join of tables
    """Join pages, or what is joined with them, with their fetch states and verdicts, where they have them."""
    key = tables.pages.c.key
    fetched = left.outerjoin(tables.fetches, tables.fetches.c.page == key)
    return fetched.outerjoin(tables.verdicts, tables.verdicts.c.page == key)


# What is asked for every page is built once: SQLAlchemy takes longer to build such a query than SQLite to answer it.
_PAGES = PreparedQuery(select(*_PAGE_COLUMNS).select_from(_joined(tables.pages)).where(among(tables.pages.c.key)))
_MEMBERS = PreparedQuery(
    select(tables.members).where(tables.members.c.source == bindparam("its_source"), among(tables.members.c.page))
)
_CONTENT = PreparedQuery(
    select(tables.contents.c.visit, tables.contents.c.digest, tables.contents.c.url, tables.contents.c.at).where(
        tables.contents.c.page == bindparam("its_page")
    )
)


def sources(connection: Connection) -> list[SourceRecord]:
    """Return all sources, in the order they were added."""
    query = select(tables.sources).order_by(tables.sources.c.added_at, tables.sources.c.key)
    return [source_rows.to_source(row) for row in connection.execute(query).mappings()]


def pages(connection: Connection, keys: Iterable[str]) -> dict[str, PageRecord]:
    """Return the pages of keys, those that are known."""
    return {row["key"]: page_rows.to_page(row) for row in _PAGES.mappings(connection, keys=listed(keys))}


def members(connection: Connection, source: str, keys: Iterable[str]) -> dict[str, Membership]:
    """Return which of some pages a source leads to, by their keys."""
    found = _MEMBERS.mappings(connection, its_source=source, keys=listed(keys))
    return {row["page"]: page_rows.to_member(row) for row in found}


def sources_of(connection: Connection, page: str) -> list[str]:
    """Return the sources that lead to a page."""
    fields = tables.members.c
    return list(connection.execute(select(fields.source).where(fields.page == page).order_by(fields.source)).scalars())


def page_keys(connection: Connection, source: str | None, kind: Kind | None) -> set[str]:
    """Return the keys of the pages that a source leads to and that are of a kind; home pages are sections."""
    key, members, verdicts = tables.pages.c.key, tables.members.c, tables.verdicts.c
    query = select(key)
    if source is not None:
        query = query.where(key.in_(select(members.page).where(members.source == source)) | (key == source))
    if kind is not None:
        judged = key.in_(select(verdicts.page).where(verdicts.kind == kind))
        is_home = key.in_(select(tables.sources.c.key))
        query = query.where(judged | is_home if kind == "section" else judged & ~is_home)
    return set(connection.execute(query).scalars())


def memberships(connection: Connection, page: str) -> list[Membership]:
    """Return which sources lead to a page, and where each found it, the first one first."""
    fields = tables.members.c
    query = select(tables.members).where(fields.page == page).order_by(fields.first_seen, fields.source)
    return [page_rows.to_member(row) for row in connection.execute(query).mappings()]


def agenda(connection: Connection, source: str) -> list[ScheduledPage]:
    """Return what is planned for a source, what is due first first."""
    fields = tables.agenda.c
    query = _scheduled().where(fields.source == source).order_by(fields.due, fields.priority.desc(), fields.page)
    return _scheduled_list(connection, query)


def sections(connection: Connection, source: str | None) -> list[ScheduledPage]:
    """Return the home pages and sections that are visited again and again, of one source or of all."""
    fields = tables.agenda.c
    query = (
        _scheduled()
        .where(fields.every.is_not(None), fields.reason != VisitReason.FEED.value)
        .order_by(fields.source, tables.pages.c.first_seen, fields.page)
    )
    return _scheduled_list(connection, query if source is None else query.where(fields.source == source))


def feeds(connection: Connection, source: str | None) -> list[FeedRecord]:
    """Return the feeds and sitemaps of one source or of all, good or bad, in the order in which they were found."""
    fields = tables.feeds.c
    query = select(tables.feeds).order_by(fields.source, fields.found_at, fields.page)
    selected = query if source is None else query.where(fields.source == source)
    return [front_rows.to_feed(row) for row in connection.execute(selected).mappings()]


def front_records(connection: Connection, source: str | None = None, page: str | None = None) -> list[FrontRecord]:
    """Return what is known of all fronts, or of those of one source or at one page, given up ones included."""
    fields = tables.fronts.c
    query = select(tables.fronts).order_by(fields.source, fields.page)
    for field, wanted in ((fields.source, source), (fields.page, page)):
        query = query if wanted is None else query.where(field == wanted)
    return [front_rows.to_front(row) for row in connection.execute(query).mappings()]


def page_counts(connection: Connection, source: str, since: datetime) -> tuple[int, int]:
    """Return how many pages a source has, and how many of them were first seen since a moment."""
    fields = tables.members.c
    total = select(func.count()).select_from(tables.members).where(fields.source == source)
    new = total.where(fields.first_seen >= since)
    return connection.execute(total).scalar_one(), connection.execute(new).scalar_one()


def content(connection: Connection, key: str) -> LastContent | None:
    """Return the last whole content of a page."""
    row = _CONTENT.first(connection, its_page=key)
    return None if row is None else LastContent(*row)


def counters(connection: Connection, source: str | None = None) -> Counters:
    """Return what was counted, of one source or over all."""
    table = tables.counters
    query = select(table.c.name, table.c.reason, table.c.number)
    if source is not None:
        query = query.where(table.c.source == source)
    found = Counters()
    for name, reason, number in connection.execute(query):
        found.merge({Counted(name, reason or None): number})
    return found


def last_visit(connection: Connection, shard: int) -> int:
    """Return the last visit of a shard; before its first one, what its visits are counted from."""
    name = tables.meta.c.name == last_visit_mark(shard)
    found = connection.execute(select(tables.meta.c.value).where(name)).scalar_one_or_none()
    return first_visit_of(shard) if found is None else int(found)


def last_visits(connection: Connection) -> dict[int, int]:
    """Return the last visit of each shard that has a sound mark."""
    stated = ((name, str(value)) for name, value in connection.execute(select(tables.meta)))
    marks = [int(value) for name, value in stated if is_last_visit_mark(name, value)]
    return {shard_of(visit): visit for visit in marks}


def chunks(keys: Iterable[str]) -> Iterator[list[str]]:
    """Give keys, each once, in as many lists as statements have to be."""
    ordered = list(dict.fromkeys(keys))
    for start in range(0, len(ordered), KEYS_AT_ONCE):
        yield ordered[start : start + KEYS_AT_ONCE]


def _scheduled() -> Select[tuple[object, ...]]:
    planned = tables.agenda.join(tables.pages, tables.agenda.c.page == tables.pages.c.key)
    return select(tables.agenda, *_PAGE_COLUMNS).select_from(_joined(planned))


def _scheduled_list(connection: Connection, query: Select[tuple[object, ...]]) -> list[ScheduledPage]:
    return [
        ScheduledPage(page_rows.to_entry(row), page_rows.to_page(row)) for row in connection.execute(query).mappings()
    ]
