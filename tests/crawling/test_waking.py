"""`wake`: a crawl asks for more from time to time."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.crawling.simulated import VirtualClock, crawl
from broadsheet.crawling.stop import Stop
from tests.crawling.crawler import live
from tests.crawling.scripted import Site, serving
from tests.crawling.simulation import BASE, START, Run, at
from tests.crawling.test_live_crawl import MANNERS, requests_for


class Alarm:
    """Counts its calls, and hands out requests at some of them."""

    def __init__(self, **orders: Request) -> None:
        self.orders = orders
        self.calls = 0

    def wake(self) -> Iterable[Request]:
        self.calls += 1
        order = self.orders.get(f"call{self.calls}")
        return [order] if order else []


def test_wake_is_called_at_intervals_of_the_clock() -> None:
    alarm = Alarm(call3=Request(f"{BASE}/ordered", tag="ordered"))

    run = Run([Request(f"{BASE}/late", tag="late", not_before=at(10))], wake=alarm.wake, every=60)

    assert run.tags == ["ordered", "late"]
    assert run.outcomes[0].exchanges[-1].at - START < timedelta(minutes=3.1)
    # The last call is the one before the end.
    assert 10 <= alarm.calls <= 11


def test_wake_does_not_keep_a_crawl_alive() -> None:
    alarm = Alarm()

    run = Run([Request(f"{BASE}/")], wake=alarm.wake, every=60)

    assert alarm.calls == 1
    assert run.took < timedelta(seconds=1)


def test_a_crawl_about_to_end_asks_for_more() -> None:
    alarm = Alarm(call1=Request(f"{BASE}/more", tag="more"), call2=Request("no address", tag="odd"))

    run = Run([Request(f"{BASE}/", tag="first")], wake=alarm.wake, every=3600)

    assert (run.tags, alarm.calls) == (["first", "more", "odd"], 3)
    assert len(run.idle_at) == 3


def test_a_delayed_order_keeps_the_crawl_alive() -> None:
    alarm = Alarm(call1=Request(f"{BASE}/more", tag="more", not_before=at(30)))

    run = Run([], wake=alarm.wake, every=3600)

    assert run.tags == ["more"]
    assert run.took >= timedelta(minutes=30)


def test_wake_is_not_called_while_a_crawl_is_finishing() -> None:
    stop = Stop()
    alarm = Alarm(call1=Request(f"{BASE}/more"))

    def decide(_: Outcome) -> Iterable[Request]:
        stop.finish()
        return ()

    run = Run([Request(f"{BASE}/")], decide=decide, stop=stop, wake=alarm.wake)

    assert (len(run.outcomes), alarm.calls) == (1, 0)


@pytest.mark.parametrize("minutes", [0, 10])
def test_what_wake_raises_reaches_the_caller(minutes: int) -> None:
    def wake() -> Iterable[Request]:
        raise LookupError("at a loss")

    with pytest.raises(LookupError, match="at a loss"):
        Run([Request(f"{BASE}/", not_before=at(minutes))], wake=wake)


@pytest.mark.parametrize("every", [0.0, -1.0, float("nan")])
def test_an_interval_is_positive(every: float) -> None:
    clock = VirtualClock(START)

    with pytest.raises(ValueError, match="positive number of seconds"):
        crawl([], lambda _: (), manners=Manners(), clock=clock, fetch=Site().fetch, wake=lambda: (), every=every)


def test_a_live_crawl_is_woken() -> None:
    with serving(Site()) as base:
        requests = requests_for(base, ["/silence"])
        crawled = live(requests, MANNERS, woken=f"{base}/page")

    assert [outcome.request.tag for outcome in crawled.outcomes] == ["woken", "/silence"]
    assert crawled.report["wakes"] > 3
    assert (crawled.report["error"], crawled.err) == (None, "")
