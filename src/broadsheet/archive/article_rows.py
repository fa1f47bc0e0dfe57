"""The rows of the newest versions of articles that a filter selects, in the order that it asks for."""

import json
from array import array
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select, union

from broadsheet.archive import tables
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.catalogue import KEYS_AT_ONCE
from broadsheet.archive.sql_expressions import row_number

#: Up to so many rows are looked up one by one; for more, all articles are gone through.
FEW = 5_000

_VERSIONS, _MEMBERS = tables.versions.c, tables.members.c
_NUMBER = row_number(tables.versions).label("number")


def article_rows(connection: Connection, choice: ArticleFilter, limit: int | None = None) -> Sequence[int]:
    """Return the numbers of all rows that the filter selects, without regard to words."""
    return _streamed(connection, choice, None, limit)


def among(
    connection: Connection, choice: ArticleFilter, numbers: Sequence[int], limit: int | None = None
) -> Sequence[int]:
    """Return those of some rows that the filter selects, in its order."""
    if len(numbers) > FEW:
        return _streamed(connection, choice, frozenset(numbers), limit)
    found: list[tuple[datetime, str, int]] = []
    for start in range(0, len(numbers), KEYS_AT_ONCE):
        chunk = _NUMBER.in_(list(numbers[start : start + KEYS_AT_ONCE]))
        found += [(row.moment, row.key, row.number) for row in connection.execute(_chosen(choice).where(chunk))]
    found.sort(key=lambda row: row[1])
    found.sort(key=lambda row: row[0], reverse=True)
    return [number for _, _, number in found[:limit]]


def _streamed(
    connection: Connection, choice: ArticleFilter, wanted: Collection[int] | None, limit: int | None
) -> Sequence[int]:
    """Go through the articles in the order of the filter until there are enough."""
    numbers = array("q")
    if limit is not None and limit < 1:
        return numbers
    for row in connection.execution_options(yield_per=10_000).execute(_ordered(choice)):
        if wanted is None or row[0] in wanted:
            numbers.append(row[0])
            if len(numbers) == limit:
                break
    return numbers


def _ordered(choice: ArticleFilter) -> Any:  # noqa: ANN401 - a query, or a union of queries
    if choice.sources is None and choice.found_on is None:
        return _within(select(_NUMBER), choice).order_by(_moment(choice).desc(), _VERSIONS.key)
    # Each part has its own index, which a condition with OR would not use.
    columns = select(_NUMBER, _moment(choice), _VERSIONS.key)
    led = select(_MEMBERS.page).where(*_leading(choice))
    parts = [_within(columns, choice).where(_VERSIONS.key.in_(led))]
    if choice.found_on is None:
        parts.append(_within(columns, choice).where(_VERSIONS.source.in_(choice.sources or ())))
    every = union(*parts).subquery()
    return select(every.c.number).order_by(every.c.moment.desc(), every.c.key)


def _chosen(choice: ArticleFilter) -> Select[Any]:
    """Select rows by conditions that are checked row by row."""
    query = _within(select(_NUMBER, _moment(choice), _VERSIONS.key), choice)
    if choice.sources is None and choice.found_on is None:
        return query
    led = select(_MEMBERS.page).where(_MEMBERS.page == _VERSIONS.key, *_leading(choice)).exists()
    own = [] if choice.found_on is not None else [_VERSIONS.source.in_(choice.sources or ())]
    return query.where(or_(led, *own))


def _leading(choice: ArticleFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if choice.sources is not None:
        conditions.append(_MEMBERS.source.in_(choice.sources))
    if choice.found_on is not None:
        conditions.append(_MEMBERS.found_on == choice.found_on)
    return conditions


def _within(query: Select[Any], choice: ArticleFilter) -> Select[Any]:
    query = query.where(_VERSIONS.latest)
    if choice.since is not None:
        query = query.where(_VERSIONS.moment >= choice.since)
    if choice.until is not None:
        query = query.where(_VERSIONS.moment < choice.until)
    if choice.keys is not None:
        # As one value: there may be more keys than a statement has room for values.
        keys = func.json_each(json.dumps(sorted(choice.keys))).table_valued("value")
        query = query.where(_VERSIONS.key.in_(select(keys.c.value)))
    return query.where(_VERSIONS.version > 1) if choice.is_revised else query


def _moment(choice: ArticleFilter) -> Any:  # noqa: ANN401 - a column with a label
    """Return what the articles are ordered by: when they were published, or when they changed."""
    return (_VERSIONS.fetched_at if choice.is_revised else _VERSIONS.moment).label("moment")
