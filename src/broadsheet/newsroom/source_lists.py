"""Bring the sources of an archive in line with a file: only what differs is changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from broadsheet.archive import Order, OrderKind, SourceRecord, Store
from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import BroadsheetError, ConfigError
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom.assignment import new_source
from broadsheet.newsroom.source_changes import differences, with_values
from broadsheet.newsroom.source_files import SourceEntry
from broadsheet.newsroom.source_orders import PATIENCE_SECONDS, OrderOutcome, give

_SETTINGS = tuple(field.name for field in fields(SourceSettings))


@dataclass(frozen=True, slots=True)
class AppliedList:
    """What a list of sources changed, and the keys of the sources that were left alone."""

    outcomes: tuple[OrderOutcome, ...]
    left_alone: tuple[str, ...]


def apply_list(
    store: Store, entries: Sequence[SourceEntry], *, prune: bool = False, patience: float = PATIENCE_SECONDS
) -> AppliedList:
    """Add the sources of a list that an archive lacks, and change those that differ.

    A setting that an entry does not name gets its default; only name and pace stay as they are. With `prune`, active
    sources that are not in the list are paused. A paused source stays paused.
    """
    known = {source.key: source for source in store.sources()}
    orders = list(_orders(known, entries, prune=prune, now=SystemClock().now()))
    wanted = {entry.key for entry in entries}
    touched = {order.source for order in orders}
    left = tuple(key for key in known if key in wanted and known[key].url not in touched)
    return AppliedList(tuple(give(store, orders, patience=patience)), left)


def _orders(
    known: dict[str, SourceRecord], entries: Sequence[SourceEntry], *, prune: bool, now: datetime
) -> Iterator[Order]:
    for entry in entries:
        source = known.get(entry.key)
        values = {**dict.fromkeys(_SETTINGS), **entry.values}
        before = source or new_source(entry.url, now)
        try:
            after = with_values(before, values)
        except BroadsheetError as error:
            raise ConfigError(f"{entry.where}: {error}") from error
        changed = {change.field: values[change.field] for change in differences(before, after)}
        if source is None or source.state == "removed":
            yield Order(what=OrderKind.ADD, source=before.url, values=changed, at=now)
        elif changed:
            yield Order(what=OrderKind.SET, source=source.url, values=changed, at=now)
    if prune:
        wanted = {entry.key for entry in entries}
        for source in known.values():
            if source.key not in wanted and source.state == "active":
                yield Order(what=OrderKind.PAUSE, source=source.url, at=now)
