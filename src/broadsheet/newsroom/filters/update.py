"""The last step of a round: count it, and say when the next one is due."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.base import events
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.newsroom.cycle import Cycle
from broadsheet.newsroom.desk import Desk


class Update:
    """Moves the source on to its next round, at a fixed interval."""

    name = "update"

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk

    def begin(self, cycle: Cycle) -> tuple[Request, ...]:
        """Write the source's new state into the same batch as what the round found."""
        every = timedelta(seconds=cycle.source.every)
        following = next_round(cycle.due, every, self._desk.clock.now())
        cycle.source = replace(cycle.source, rounds=cycle.number, next_round=following)
        self._desk.batch.source(cycle.source)
        self._desk.progress.rounds += 1
        reason = None if cycle.home_seen else events.HOME_NOT_REACHED
        self._desk.batch.count(events.ROUNDS, reason, source=cycle.source.key)
        return ()

    def take(self, cycle: Cycle, outcome: Outcome) -> tuple[Request, ...]:
        """Refuse: nothing was asked for."""
        raise AssertionError(f"nobody asked for {outcome.request.url} in round {cycle.number}")


def next_round(due: datetime, every: timedelta, now: datetime) -> datetime:
    """Return when the next round is due: in step with the last; rounds that were missed are not made up for."""
    following = due + every
    if following >= now:
        return following
    return following + -(-(now - following) // every) * every
