"""Take the orders that were left in the archive: add, pause, resume, remove and change sources, and stop."""

import logging
from collections.abc import Callable
from dataclasses import replace

from broadsheet.archive import Order, OrderKind, SourceRecord, SourceState
from broadsheet.base import urls
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.assignment import Assignment, home, new_source, repaced, with_goal
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.source_changes import EVERY, differences, with_values

_log = logging.getLogger(__name__)


class Steering:
    """Applies orders to the sources and to the agenda; each is committed together with what it changes.

    A crawl takes them while it runs. Where none runs, whoever places an order takes the archive's lease and applies it
    in the same way.
    """

    def __init__(
        self,
        desk: Desk,
        agenda: Agenda,
        fronts: Fronts,
        *,
        assignment: Assignment | None = None,
        stop: Callable[[], None] = do_nothing,
    ) -> None:
        """Take the assignment of the crawl, if one runs, and what stops it."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._assignment = assignment
        self._begun = desk.clock.now()
        self._stop = stop

    def take_orders(self) -> None:
        """Take all orders that wait."""
        taken = [self._take(order) for order in self._desk.writer.new_orders()]
        if not taken:
            return
        self._desk.commit()
        if any(order.what is OrderKind.STOP and order.error is None for order in taken):
            self._stop()

    def is_lasting(self) -> bool:
        """Return whether there may be more to do later though nothing is planned: a source may be added or resumed."""
        if self._assignment is None or self._assignment.goal is None:
            return self._assignment is not None
        paused = (source for source in self._agenda.sources.values() if source.state == "paused")
        return any(source.until is not None and source.until > self._desk.clock.now() for source in paused)

    def _take(self, order: Order) -> Order:
        result: str | None = None
        error: str | None = None
        try:
            result = self._apply(order)
        except BroadsheetError as refused:
            error = str(refused)
        _log.info("order %d, %s %s: %s", order.id, order.what, order.source, result or error)
        taken = replace(order, taken_at=self._desk.clock.now(), result=result, error=error)
        self._desk.batch.order(taken)
        return taken

    def _apply(self, order: Order) -> str:
        match order.what:
            case OrderKind.STOP:
                if order.values.get("holder") != self._desk.writer.holder or self._assignment is None:
                    raise InputError("the crawl that was to stop has ended")
                return "stopping"
            case OrderKind.ADD:
                return self._add(order)
            case OrderKind.PAUSE | OrderKind.REMOVE:
                return self._leave(order)
            case OrderKind.RESUME:
                return self._resume(order)
            case OrderKind.SET:
                before = self._find(order.source)
                return self._change(before, with_values(before, order.values))

    def _add(self, order: Order) -> str:
        url = home(order.source)
        now = self._desk.clock.now()
        known = self._known().get(urls.key(url))
        before = known or new_source(url, now)
        values = dict(order.values)
        if known is None and EVERY not in values and self._assignment is not None and self._assignment.every:
            values[EVERY] = self._assignment.every
        after = with_values(before, values)
        if known is not None and known.state == "active":
            return f"already follows {known.key}; {self._change(known, after)}"
        self._change(before, after)
        self._follow(replace(after, state="active"))
        return f"added {after.key}" if known is None else f"added {after.key} again; it was {before.state}"

    def _leave(self, order: Order) -> str:
        source = self._find(order.source)
        state: SourceState = "paused" if order.what is OrderKind.PAUSE else "removed"
        if source.state == state:
            return f"{source.key} is {state} already"
        if source.state == "removed":
            raise InputError(f"{source.key} was removed: add it again first")
        after = replace(source, state=state)
        self._desk.batch.source(after)
        self._agenda.leave(after)
        return f"{state} {source.key}"

    def _resume(self, order: Order) -> str:
        source = self._find(order.source)
        if source.state == "removed":
            raise InputError(f"{source.key} was removed: add it again to follow it")
        if source.state == "active" and self._is_followed(source):
            return f"{source.key} is active already"
        self._follow(replace(source, state="active"))
        return f"resumed {source.key}"

    def _change(self, before: SourceRecord, after: SourceRecord) -> str:
        """Keep the settings of a source, and let those that matter to its visits take effect."""
        if after != before:
            self._desk.batch.source(after)
            if after.key in self._agenda.sources:
                self._agenda.update(after)
        changes = list(differences(before, after))
        if not changes:
            # What was the default may have been given now.
            return f"nothing to change in {before.key}"
        if after.every != before.every:
            for entry in tuple(repaced(self._desk.writer, after, before.every, self._desk.clock.now())):
                self._agenda.plan(entry)
        if after.settings.editions != before.settings.editions:
            self._change_editions(before, after)
        return f"changed {after.key}: {'; '.join(map(str, changes))}"

    def _change_editions(self, before: SourceRecord, after: SourceRecord) -> None:
        kept = set(map(urls.key, after.settings.editions))
        planned = {scheduled.entry.page for scheduled in self._desk.writer.agenda(after.key)}
        for key in map(urls.key, before.settings.editions):
            if key in planned and key not in kept:
                self._agenda.unplan(after.key, key)
        if self._agenda.is_followed(after.key):
            self._fronts.plan_homes(after)

    def _follow(self, source: SourceRecord) -> None:
        if self._assignment is not None:
            source = with_goal(source, self._assignment, self._begun)
        self._desk.batch.source(source)
        if self._assignment is not None:
            self._agenda.follow(source)
            self._fronts.plan_homes(source)

    def _is_followed(self, source: SourceRecord) -> bool:
        return self._assignment is None or self._agenda.is_followed(source.key)

    def _known(self) -> dict[str, SourceRecord]:
        return {source.key: source for source in self._desk.writer.sources()} | self._agenda.sources

    def _find(self, address: str) -> SourceRecord:
        known = self._known()
        found = known.get(address) or known.get(urls.key(address)) or known.get(_home_key(address))
        if found is None:
            raise InputError(f"the archive does not follow {address}; its sources are {', '.join(known) or 'none'}")
        return found


def _home_key(address: str) -> str:
    """Return the key of an address as a person may write it."""
    try:
        return urls.key(home(address))
    except InputError:
        return ""
