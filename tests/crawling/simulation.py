"""A simulated crawl of something scripted, for tests."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Decide, Failure, Outcome, Request, Wake
from broadsheet.crawling.simulated import VirtualClock, crawl
from broadsheet.crawling.stop import Stop
from tests.crawling.scripted import Answered, Site

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
BASE = "http://news.example"
Fetch = Callable[..., Answered]


class Run:
    """A crawl of something scripted, and what came of it."""

    def __init__(  # noqa: PLR0913 - those of `crawl`
        self,
        requests: Iterable[Request],
        fetch: Fetch | None = None,
        *,
        decide: Decide = lambda _: (),
        manners: Manners | None = None,
        stop: Stop | None = None,
        wake: Wake | None = None,
        every: float = 60.0,
    ) -> None:
        self.clock = VirtualClock(START)
        self.counters = Counters()
        self.outcomes: list[Outcome] = []
        self.idle_at: list[timedelta] = []
        self._decide = decide
        crawl(
            requests,
            self._told,
            manners=manners or Manners(delay=0.0),
            clock=self.clock,
            fetch=fetch or Site(robots="").fetch,
            idle=lambda: self.idle_at.append(self.clock.now() - START),
            stop=stop,
            wake=wake,
            every=every,
            counters=self.counters,
        )

    def _told(self, outcome: Outcome) -> Iterable[Request] | Awaitable[Iterable[Request]]:
        self.outcomes.append(outcome)
        return self._decide(outcome)

    @property
    def took(self) -> timedelta:
        return self.clock.now() - START

    @property
    def tags(self) -> list[str]:
        return [outcome.request.tag for outcome in self.outcomes]

    @property
    def reasons(self) -> list[str]:
        return [outcome.reason if isinstance(outcome, Failure) else str(outcome.status) for outcome in self.outcomes]


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)
