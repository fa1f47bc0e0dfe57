"""Numbers of pages and articles by source, kept up to date by every commit: counting millions of rows takes seconds."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Select, Text, delete, func, insert, inspect, select, type_coerce

from broadsheet.archive import tables
from broadsheet.archive.insertions import add_to
from broadsheet.archive.page_records import PageState
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.sql_expressions import among, listed

#: What is counted: pages by kind and state, articles in all and by the day they were archived, and their versions.
PAGES, ARTICLES, ARTICLES_BY_DAY, VERSIONS = "pages", "articles", "articles by day", "versions"
#: What a page that nobody judged is counted as.
UNJUDGED = "unjudged"

#: Name, label and source.
Tally = tuple[str, str, str]


def count(connection: Connection, keys: Iterable[str] | None = None) -> Counter[Tally]:
    """Count some pages, or all, and their articles, for each source that leads to them."""
    counted: Counter[Tally] = Counter()
    if keys is None:
        _add(counted, connection.execution_options(yield_per=10_000).execute(_EVERY))
        return counted
    _add(counted, _SOME.rows(connection, keys=listed(keys)))
    return counted


def change(connection: Connection, before: Counter[Tally], after: Counter[Tally]) -> None:
    """Enter what a commit has changed, given the counts of the pages it touched before and after."""
    after.subtract(before)
    add_to(connection, tables.tallies, "number", [_row(tally, number) for tally, number in after.items() if number])


def recount(connection: Connection) -> None:
    """Count everything anew."""
    connection.execute(delete(tables.tallies))
    values = [_row(tally, number) for tally, number in count(connection).items()]
    if values:
        connection.execute(insert(tables.tallies), values)


def ensure(connection: Connection) -> None:
    """Count everything in a catalogue that has no numbers yet."""
    if not inspect(connection).has_table(tables.tallies.name):
        tables.tallies.create(connection)
        recount(connection)


def kept(connection: Connection, name: str, since: str = "") -> Iterable[tuple[str, str, int]]:
    """Give source, label and number of everything that is kept under a name, from a label on."""
    fields = tables.tallies.c
    if not inspect(connection).has_table(tables.tallies.name):
        found = ((source, label, number) for (its, label, source), number in count(connection).items() if its == name)
        return [row for row in found if row[1] >= since]
    query = select(fields.source, fields.label, fields.number).where(fields.name == name, fields.label >= since)
    return [(row.source, row.label, row.number) for row in connection.execute(query) if row.number]


def _query() -> Select[Any]:
    members, fetches, verdicts, versions = tables.members, tables.fetches, tables.verdicts, tables.versions
    own = versions.c.key == members.c.page
    first = select(func.substr(type_coerce(versions.c.fetched_at, Text), 1, 10)).where(own, versions.c.version == 1)
    number = select(func.count()).where(own)
    joined = members.outerjoin(fetches, fetches.c.page == members.c.page).outerjoin(
        verdicts, verdicts.c.page == members.c.page
    )
    columns = (members.c.source, verdicts.c.kind, fetches.c.state)
    return select(*columns, first.scalar_subquery(), number.scalar_subquery()).select_from(joined)


def _add(counted: Counter[Tally], rows: Iterable[Any]) -> None:
    for source, kind, state, day, versions in rows:
        # A page that was asked for in vain is as little known as one that never was.
        counted[PAGES, f"{kind or UNJUDGED}/{state or PageState.KNOWN.value}", source] += 1
        if versions:
            counted[ARTICLES, "", source] += 1
            counted[ARTICLES_BY_DAY, day or "", source] += 1
            counted[VERSIONS, "", source] += versions


def _row(tally: Tally, number: int) -> dict[str, Any]:
    name, label, source = tally
    return {"name": name, "label": label, "source": source, "number": number}


# Built once, because every commit counts twice: SQLAlchemy takes longer to build a query than SQLite to answer it.
_EVERY = _query()
_SOME = PreparedQuery(_EVERY.where(among(tables.members.c.page)))
