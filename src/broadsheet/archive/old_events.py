"""Events that keep rules remove from the log: those that nothing else is told from."""

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import groupby

from sqlalchemy import ColumnElement, Connection, Text, delete, func, select, type_coerce

from broadsheet.archive import tables
from broadsheet.archive.event_records import DEPARTURES, EventKind
from broadsheet.archive.prunings import Pruning, PruningKey
from broadsheet.archive.sql_expressions import among, listed

EVENTS = "events"
#: What says which articles are gone stays, and so does the history of a source's phases.
_KEPT = DEPARTURES | {EventKind.RETURN, EventKind.PHASE}
#: What a row takes beside its texts, about.
_ROW_BYTES = 40


def planned(connection: Connection, moment: Callable[[str, str], datetime | None]) -> dict[PruningKey, Pruning]:
    """Return how many events of each source are too old; `moment` says for a source and a kind what is."""
    fields = tables.events.c
    named = connection.execute(select(fields.source).distinct()).scalars()
    dated = [(before, source) for source in named if (before := moment(source, EVENTS)) is not None]
    return _counted(connection, dated)


def remove(connection: Connection, plan: Iterable[tuple[PruningKey, Pruning]]) -> dict[PruningKey, Pruning]:
    """Remove what was planned, and return how much that was."""
    dated = [(pruning.before, source) for (source, _), pruning in plan]
    removed = _counted(connection, dated)
    for before, sources in _by_moment(dated):
        connection.execute(delete(tables.events).where(*_old(before)), {"its_sources": listed(sources)})
    return removed


def _counted(connection: Connection, dated: list[tuple[datetime, str]]) -> dict[PruningKey, Pruning]:
    fields, found = tables.events.c, {}
    size = func.length(fields.page) + func.length(type_coerce(fields.detail, Text)) + _ROW_BYTES
    for before, sources in _by_moment(dated):
        query = select(fields.source, func.count(), func.sum(size)).where(*_old(before)).group_by(fields.source)
        for source, number, total in connection.execute(query, {"its_sources": listed(sources)}):
            found[source, EVENTS] = Pruning(number, total, before)
    return found


def _by_moment(dated: list[tuple[datetime, str]]) -> Iterable[tuple[datetime, list[str]]]:
    for before, pairs in groupby(sorted(dated), key=lambda pair: pair[0]):
        yield before, [source for _, source in pairs]


def _old(before: datetime) -> tuple[ColumnElement[bool], ...]:
    fields = tables.events.c
    return fields.at < before, fields.kind.not_in(sorted(_KEPT)), among(fields.source, "its_sources")
