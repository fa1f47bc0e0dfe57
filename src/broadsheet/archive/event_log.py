"""What happened in an archive, in order: articles that came, changed or went, sections and sources likewise."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, select

from broadsheet.archive import log_rows, tables
from broadsheet.archive.event_records import ArchiveEvent, EventKind
from broadsheet.archive.insertions import insert_new


def append(connection: Connection, events: Sequence[ArchiveEvent]) -> None:
    """Add events at the end of the log."""
    insert_new(connection, tables.events, [log_rows.of_event(event) for event in events])


def events(  # noqa: PLR0913 - each a way to select
    connection: Connection,
    *,
    after: int = 0,
    kinds: Collection[EventKind] = (),
    source: str | None = None,
    page: str | None = None,
    limit: int | None = None,
) -> list[ArchiveEvent]:
    """Return the events after one, the oldest first."""
    columns = tables.events.c
    query = select(tables.events).where(columns.id > after).order_by(columns.id).limit(limit)
    if kinds:
        query = query.where(columns.kind.in_(list(kinds)))
    if source is not None:
        query = query.where(columns.source == source)
    if page is not None:
        query = query.where(columns.page == page)
    return [log_rows.to_event(row) for row in connection.execute(query).mappings()]


def last(connection: Connection) -> int:
    """Return the number of the newest event, 0 where there is none."""
    newest: Any = connection.execute(select(tables.events.c.id).order_by(tables.events.c.id.desc()).limit(1)).scalar()
    return int(newest or 0)
