"""What the old catalogue of a damaged archive says that nothing else does."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from broadsheet.archive import tombstones
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.remains import Remains
from broadsheet.base import urls


class Noted(NamedTuple):
    """What the old catalogue says that follows from nothing else: its age, commits, counters, events and so on.

    What was forgotten has no incidents and events any more, but tombstones.
    """

    created: str | None
    commits: Sequence[dict[str, Any]]
    counters: Sequence[dict[str, Any]]
    incidents: Sequence[dict[str, Any]]
    events: Sequence[dict[str, Any]]
    orders: Sequence[dict[str, Any]]
    deliveries: Sequence[dict[str, Any]]
    earlier_verdicts: Sequence[dict[str, Any]] = ()
    rereads: Sequence[dict[str, Any]] = ()
    prunings: Sequence[dict[str, Any]] = ()
    tombstones: Sequence[Tombstone] = ()

    @classmethod
    def of(cls, remains: Remains, forgotten: Sequence[Tombstone] = ()) -> Self:
        """Read what the old catalogue says."""
        created = remains.meta().get("created")
        pages, sources = tombstones.page_keys(forgotten), tombstones.source_keys(forgotten)
        incidents = [
            row for row in remains.incidents() if row["source"] not in sources and urls.key(row["url"]) not in pages
        ]
        events = [row for row in remains.events() if row["source"] not in sources and row["page"] not in pages]
        earlier = [row for row in remains.earlier_verdicts() if row["page"] not in pages]
        commits, counters, rereads = map(list, (remains.commits(), remains.counters(), remains.rereads()))
        orders = [row for row in remains.orders() if urls.key(row["source"]) not in sources]
        # New events are numbered from the last one on, also if later ones were lost or forgotten.
        last = max((row["id"] for row in events), default=0)
        deliveries = [{**row, "event": min(row["event"], last)} for row in remains.deliveries()]
        pruned = [row for row in remains.prunings() if row["source"] not in sources]
        return cls(
            created, commits, counters, incidents, events, orders, deliveries, earlier, rereads, pruned, forgotten
        )
