"""A crawler without Scrapy: hosts wait for themselves only, and everything comes in its turn."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest

pytest.importorskip("scrapy")

from benchmarks import plain_engine
from broadsheet.base.manners import Manners
from broadsheet.base.reasons import TIMEOUT
from broadsheet.crawling.fetch_messages import Failure, Outcome, Request
from broadsheet.crawling.simulated import VirtualClock
from broadsheet.crawling.stop import Stop
from broadsheet.newsweb.response import Response

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
MANNERS = Manners(delay=10.0, per_host=2, timeout=30.0)


class Journal:
    """Answers every request after the seconds that its host takes, and notes what was asked for, and what came."""

    def __init__(self, seconds: Mapping[str, float] | None = None) -> None:
        self._seconds = seconds or {}
        self.asked: list[tuple[str, float]] = []
        self.came: list[Outcome] = []

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        del headers
        self.asked.append((url, (at - START).total_seconds()))
        return Response(200, {}, b"", seconds=self._seconds.get(urlsplit(url).hostname or "", 0.0))

    async def decide(self, outcome: Outcome) -> list[Request]:
        self.came.append(outcome)
        return []

    def crawl(self, requests: Iterable[Request], *, manners: Manners = MANNERS, unwanted: str = "") -> None:
        plain_engine.crawl(
            requests,
            self.decide,
            manners=manners,
            clock=VirtualClock(START),
            fetch=self.fetch,
            idle=lambda: None,
            wake=list,
            every=60.0,
            is_wanted=lambda request: request.url != unwanted,
            is_lasting=lambda: False,
            stop=Stop(),
        )


def test_a_host_is_asked_in_the_order_of_priorities_with_a_pause_between() -> None:
    journal = Journal()

    journal.crawl(
        [Request("http://a.example/1"), Request("http://a.example/2"), Request("http://a.example/3", priority=5)]
    )

    assert journal.asked == [("http://a.example/1", 0), ("http://a.example/3", 10), ("http://a.example/2", 20)]


def test_a_slow_host_delays_no_other() -> None:
    journal = Journal({"slow.example": 25.0})
    slow, quick = ([Request(f"http://{name}.example/{n}") for n in range(4)] for name in ("slow", "quick"))

    journal.crawl([*slow, *quick])

    at = dict(journal.asked)
    assert [at[request.url] for request in quick] == [0, 10, 20, 30]
    # Two at a time, so that the third waits for the first.
    assert [at[request.url] for request in slow] == [0, 10, 25, 35]


def test_so_many_requests_are_under_way_at_once_and_no_more() -> None:
    journal = Journal({f"h{n}.example": 20.0 for n in range(3)})

    journal.crawl([Request(f"http://h{n}.example/") for n in range(3)], manners=replace(MANNERS, concurrency=2))

    assert [seconds for _, seconds in journal.asked] == [0, 0, 20]


def test_a_request_waits_until_it_is_due_and_is_dropped_when_it_is_late_or_not_wanted() -> None:
    journal = Journal()
    later = Request("http://a.example/later", not_before=START + timedelta(minutes=5))
    late = Request("http://a.example/late", not_before=START + timedelta(hours=1), not_after=START)

    journal.crawl([later, late, Request("http://a.example/unwanted")], unwanted="http://a.example/unwanted")

    assert journal.asked == [("http://a.example/later", 300)]


def test_an_answer_that_takes_too_long_is_a_failure() -> None:
    journal = Journal({"a.example": 31.0})

    journal.crawl([Request("http://a.example/")])

    [failure] = journal.came
    assert isinstance(failure, Failure)
    assert (failure.reason, failure.at) == (TIMEOUT, START + timedelta(seconds=30))
