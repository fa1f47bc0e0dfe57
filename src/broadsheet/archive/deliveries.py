"""Up to which event each listener outside was told; kept so that one that was down goes on where it stopped."""

from datetime import datetime

from sqlalchemy import Connection, select

from broadsheet.archive import tables
from broadsheet.archive.insertions import upsert


def delivered(connection: Connection, hook: str) -> int | None:
    """Return the last event that a listener has received; None if it was never told of any."""
    fields = tables.deliveries.c
    return connection.execute(select(fields.event).where(fields.hook == hook)).scalar_one_or_none()


def note(connection: Connection, hook: str, event: int, now: datetime) -> None:
    """Keep that a listener has received all events up to one."""
    if event > (delivered(connection, hook) or -1):
        upsert(connection, tables.deliveries, [{"hook": hook, "event": event, "at": now}])
