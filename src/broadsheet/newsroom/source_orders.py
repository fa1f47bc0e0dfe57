"""Give orders to an archive: to the crawl that runs on it, or, if none runs, by carrying them out at once."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from broadsheet.archive import ArchiveBusy, Lease, Order, OrderKind, Store, Writer
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.steering import Steering

#: How long to wait for the running crawl to take an order; it looks for them every second, unless it is busy.
PATIENCE_SECONDS = 15.0
#: How long to wait for a crawl to end: the pages in flight are completed first.
ENDING_SECONDS = 120.0
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """What became of an order, and which running process it was left with, if one runs."""

    order: Order
    holder: Lease | None = None

    def __str__(self) -> str:
        """Say what happened in one line, for a person."""
        order = self.order
        if order.error is not None:
            return order.error
        if order.taken_at is None:
            what = f"{order.what} {order.source}".strip()
            return f"{what}: waits until {self.holder} carries it out" if self.holder else f"{what}: waits"
        return f"{order.result}; the running crawl carried it out" if self.holder else str(order.result)


def give(
    store: Store, orders: Sequence[Order], *, patience: float = PATIENCE_SECONDS, clock: Clock | None = None
) -> list[OrderOutcome]:
    """Have orders carried out, and return what became of each.

    One that the process which writes to the archive does not take in time stays, and is taken by whoever writes next.
    """
    machine = SystemClock()
    end = machine.monotonic() + patience
    left, given = list(orders), list[OrderOutcome]()
    while left:
        placed = store.place(left[0])
        if placed is not None:
            given.append(OrderOutcome(*placed))
            del left[0]
            continue
        try:
            with store.writer() as writer:
                own = [OrderOutcome(writer.order(order)) for order in left]
                _take(store, writer, clock or machine)
        except ArchiveBusy:
            # Somebody else has begun to write since.
            continue
        given += own
        left = []
    return [_awaited(store, outcome, end, machine) for outcome in given]


def stop(store: Store, *, patience: float = ENDING_SECONDS) -> OrderOutcome | None:
    """Stop the crawl that runs on an archive, and wait for its end; return None if none runs."""
    machine = SystemClock()
    placed = store.place(Order(what=OrderKind.STOP, at=machine.now()))
    if placed is None:
        return None
    outcome = _awaited(store, OrderOutcome(*placed), machine.monotonic() + PATIENCE_SECONDS, machine)
    end = machine.monotonic() + patience
    while outcome.order.result is not None and is_running(store, outcome) and machine.monotonic() < end:
        time.sleep(_LOOK_SECONDS)
    return outcome


def is_running(store: Store, outcome: OrderOutcome) -> bool:
    """Return whether the process that an order was left with still writes."""
    current = store.holder()
    return current is not None and outcome.holder is not None and current.holder == outcome.holder.holder


def _awaited(store: Store, outcome: OrderOutcome, end: float, machine: Clock) -> OrderOutcome:
    """Wait until an order is taken; if whoever had it is gone, take it."""
    while True:
        current = store.order(outcome.order.id)
        if current.taken_at is not None or outcome.holder is None or machine.monotonic() > end:
            return replace(outcome, order=current)
        if not is_running(store, outcome) and store.order(current.id).taken_at is None:
            outcome = _taken_over(store, replace(outcome, order=current), machine)
        else:
            time.sleep(machine.real_seconds(timedelta(seconds=_LOOK_SECONDS)))


def _taken_over(store: Store, outcome: OrderOutcome, machine: Clock) -> OrderOutcome:
    try:
        with store.writer() as writer:
            _take(store, writer, machine)
    except ArchiveBusy:
        return replace(outcome, holder=store.holder() or outcome.holder)
    return replace(outcome, holder=None)


def _take(store: Store, writer: Writer, clock: Clock) -> None:
    """Take all orders that wait, in the way that a crawl does."""
    desk = Desk(store, writer, clock)
    agenda = Agenda(desk, {})
    Steering(desk, agenda, Fronts(desk, agenda)).take_orders()
