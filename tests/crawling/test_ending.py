"""How a crawl ends before its time."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.crawling.simulated import VirtualClock, crawl
from broadsheet.crawling.stop import Stop
from tests.crawling.scripted import Answered, Site, page, redirect
from tests.crawling.simulation import BASE, START, Run, at


def test_finish_ends_a_sleeping_crawl_and_drops_what_waits() -> None:
    stop = Stop()

    def decide(_: Outcome) -> Iterable[Request]:
        stop.finish()
        return [Request(f"{BASE}/more")]

    run = Run([Request(f"{BASE}/"), Request(f"{BASE}/later", not_before=at(60))], decide=decide, stop=stop)

    assert run.reasons == ["200"]
    assert run.took < timedelta(minutes=1)
    assert run.idle_at
    assert run.counters.total("skipped") == 2


def test_finish_still_follows_redirects() -> None:
    stop = Stop()

    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("/a"):
            stop.finish()
            return redirect("/b")
        return page()

    run = Run([Request(f"{BASE}/a")], fetch, manners=Manners(robots=False), stop=stop)

    assert [outcome.url for outcome in run.outcomes if isinstance(outcome, FetchAnswer)] == [f"{BASE}/b"]


def test_finish_from_idle_ends_the_sleep() -> None:
    stop = Stop()
    clock = VirtualClock(START)
    requests = [Request(f"{BASE}/", not_before=at(60))]

    crawl(requests, lambda _: [], manners=Manners(), clock=clock, fetch=Site().fetch, idle=stop.finish, stop=stop)

    assert clock.now() < at(1)


@pytest.mark.parametrize("how", ["finish", "now"])
def test_a_crawl_that_was_stopped_before_it_began_fetches_nothing(how: str) -> None:
    stop = Stop()
    getattr(stop, how)()

    run = Run([Request(f"{BASE}/"), Request(f"{BASE}/later", not_before=at(60))], stop=stop)

    assert (run.outcomes, run.counters.total("requests")) == ([], 0)


def test_now_drops_what_is_in_flight() -> None:
    stop = Stop()

    def decide(_: Outcome) -> Iterable[Request]:
        stop.now()
        return [Request(f"{BASE}/more")]

    run = Run([Request(f"{BASE}/{number}") for number in range(20)], decide=decide, stop=stop)

    assert len(run.outcomes) == 1


@pytest.mark.parametrize("error", [LookupError("at a loss"), KeyboardInterrupt()])
def test_what_decide_raises_reaches_the_caller(error: BaseException) -> None:
    def decide(_: Outcome) -> Iterable[Request]:
        raise error

    with pytest.raises(type(error)):
        Run([Request(f"{BASE}/")], decide=decide)


def test_an_error_of_a_lazy_decide_reaches_the_caller() -> None:
    def decide(_: Outcome) -> Iterable[Request]:
        yield Request(f"{BASE}/more")
        raise LookupError("at a loss")

    with pytest.raises(LookupError, match="at a loss"):
        Run([Request(f"{BASE}/")], decide=decide)


def test_what_idle_or_the_web_raises_reaches_the_caller() -> None:
    def broken(*_: object) -> Answered:
        raise LookupError("at a loss")

    def lose() -> None:
        raise LookupError("at a loss")

    with pytest.raises(LookupError, match="at a loss"):
        Run([Request(f"{BASE}/")], broken)
    with pytest.raises(LookupError, match="at a loss"):
        crawl(
            [],
            lambda _: [],
            manners=Manners(),
            clock=VirtualClock(START),
            fetch=broken,
            idle=lose,
        )


def test_first_requests_that_raise_reach_the_caller() -> None:
    def requests() -> Iterable[Request]:
        yield Request(f"{BASE}/")
        raise LookupError("at a loss")

    with pytest.raises(LookupError, match="at a loss"):
        Run(requests())
