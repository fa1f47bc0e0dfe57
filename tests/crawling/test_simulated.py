"""Simulated crawls: the same engine in virtual time, without sockets."""

import asyncio
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

pytest.importorskip("scrapy")

import scrapy.core.downloader
import scrapy.utils.asyncio
from scrapy.core.engine import ExecutionEngine

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.crawling.simulated import VirtualClock
from tests.crawling.crawler import live
from tests.crawling.scripted import Answered, Site, page, serving
from tests.crawling.simulation import BASE, START, Run, at
from tests.crawling.test_live_crawl import MANNERS, REFUSED, WELL, requests_for


def test_scrapys_delays_follow_the_virtual_clock() -> None:
    manners = Manners(delay=60.0, robots=False)
    began = time.process_time()

    run = Run([Request(f"{BASE}/{number}") for number in range(100)], manners=manners)

    assert len(run.outcomes) == 100
    assert timedelta(minutes=98.9) < run.took < timedelta(minutes=99.5)
    assert time.process_time() - began < 20


def test_the_patched_names_are_scrapys_own_and_are_restored() -> None:
    owned = (
        (scrapy.core.downloader, "monotonic"),
        (scrapy.utils.asyncio, "time"),
        (ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL"),
        (scrapy.core.downloader.Downloader, "_SLOT_GC_INTERVAL"),
    )
    before = [getattr(owner, name) for owner, name in owned]
    seen: list[object] = []

    def fetch(*_: object) -> Answered:
        seen.extend(getattr(owner, name) for owner, name in owned)
        return page()

    Run([Request(f"{BASE}/")], fetch, manners=Manners(robots=False))

    assert before == [time.monotonic, time, 5.0, 60.0]
    assert all(during is not was for during, was in zip(seen, before, strict=True))
    assert [getattr(owner, name) for owner, name in owned] == before


def test_a_month_of_hourly_visits_takes_little_time() -> None:
    rounds = 720

    def decide(outcome: Outcome) -> Iterable[Request]:
        number = int(outcome.request.tag or -1)
        if number >= 0:
            yield Request(f"{BASE}/{number}")
        if 0 <= number < rounds - 1:
            yield Request(f"{BASE}/", tag=str(number + 1), not_before=START + timedelta(hours=number + 1))

    began = time.process_time()

    run = Run([Request(f"{BASE}/", tag="0")], decide=decide, manners=Manners(delay=1.0))

    assert len(run.outcomes) == 2 * rounds
    assert timedelta(days=29.9) < run.took < timedelta(days=30)
    assert time.process_time() - began < 20


def test_crawls_can_be_run_one_after_the_other_on_one_clock_and_in_a_thread() -> None:
    runs: list[Run] = []
    thread = threading.Thread(target=lambda: runs.append(Run([Request(f"{BASE}/")])))

    runs.append(Run([Request(f"{BASE}/")]))
    thread.start()
    thread.join()

    assert [run.reasons for run in runs] == [["200"], ["200"]]


def test_live_and_simulated_crawls_bring_the_same() -> None:
    def told(outcomes: list[Outcome]) -> dict[str, object]:
        return {
            outcome.request.tag: (
                [(each.url, each.status, each.body, each.header("content-encoding")) for each in outcome.exchanges],
                (outcome.url, outcome.status, outcome.content)
                if isinstance(outcome, FetchAnswer)
                else (outcome.reason,),
            )
            for outcome in outcomes
        }

    with serving(Site()) as base:
        requests = requests_for(base, [*WELL, *REFUSED])
        over_sockets = live(requests, MANNERS)

    without = Run(requests, Site().fetch, manners=MANNERS)

    assert told(without.outcomes) == told(over_sockets.outcomes)
    counted = {f"{name} {reason or ''}".strip(): number for (name, reason), number in without.counters}
    assert counted == over_sockets.report["counted"]


def test_requests_wait_for_their_time_in_order_and_then_by_priority() -> None:
    requests = [
        Request(f"{BASE}/late", tag="late", not_before=at(60)),
        Request(f"{BASE}/soon", tag="soon", not_before=at(10)),
        Request(f"{BASE}/soon/first", tag="soon and first", not_before=at(10), priority=5),
        Request(f"{BASE}/now", tag="now"),
        Request(f"{BASE}/past", tag="past", not_before=at(-10)),
        Request(f"{BASE}/urgent", tag="urgent", priority=9),
    ]

    run = Run(requests)

    assert run.tags == ["urgent", "now", "past", "soon and first", "soon", "late"]
    assert [(outcome.exchanges[-1].at - START) // timedelta(minutes=1) for outcome in run.outcomes] == [
        0,
        0,
        0,
        10,
        10,
        60,
    ]


def test_idle_is_called_once_before_every_sleep_and_at_the_end() -> None:
    requests = [Request(f"{BASE}/{minutes}", not_before=at(minutes)) for minutes in (0, 10, 60)]

    run = Run(requests)

    assert [span // timedelta(minutes=1) for span in run.idle_at] == [0, 10, 60]


def test_a_slow_host_does_not_hold_up_the_others() -> None:
    manners = Manners(delay=10.0, concurrency=4, robots=False)
    requests = [Request(f"http://slow.example/{number}", tag="slow") for number in range(20)]
    requests += [Request(f"http://host{number}.example/", tag="fast") for number in range(20)]

    run = Run(requests, manners=manners)

    fast = [outcome.exchanges[-1].at - START for outcome in run.outcomes if outcome.request.tag == "fast"]
    assert max(fast) < timedelta(seconds=5)
    assert run.took >= timedelta(seconds=190)


def test_a_pause_between_two_requests_to_a_host_is_kept() -> None:
    run = Run([Request(f"{BASE}/{number}") for number in range(5)], manners=Manners(delay=7.0))

    times = [(outcome.exchanges[-1].at - START).total_seconds() for outcome in run.outcomes]
    assert times == pytest.approx([7, 14, 21, 28, 35])


def test_what_decide_asks_for_is_fetched_also_after_what_is_no_address() -> None:
    def decide(outcome: Outcome) -> Iterable[Request]:
        return [Request(f"{BASE}/then", tag="then")] if outcome.request.tag == "wrong" else []

    run = Run([Request("nothing of the sort", tag="wrong")], decide=decide)

    assert run.tags == ["wrong", "then"]
    assert run.reasons == ["url", "200"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://x.example/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("http:///path", "url"),
        ("http://[::1/", "url"),
    ],
)
def test_only_addresses_of_the_web_are_fetched(url: str, reason: str) -> None:
    assert Run([Request(url)]).reasons == [reason]


def test_a_fragment_is_not_sent() -> None:
    (outcome,) = Run([Request(f"{BASE}/page#part")]).outcomes

    assert isinstance(outcome, FetchAnswer)
    assert (outcome.url, outcome.exchanges[0].url) == (f"{BASE}/page", f"{BASE}/page")


def test_a_virtual_clock_goes_forward_from_a_time_with_an_offset() -> None:
    with pytest.raises(ValueError, match="aware datetime"):
        VirtualClock(START.replace(tzinfo=None))
    with pytest.raises(ValueError, match="cannot advance"):
        VirtualClock(START).advance(-1)


def test_a_crawl_leaves_no_loop_behind() -> None:
    Run([Request(f"{BASE}/")])

    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


def test_the_same_crawl_gives_the_same_twice() -> None:
    manners = replace(MANNERS, delay=1.0)
    requests = requests_for(BASE, [*WELL, *REFUSED])

    first, second = (Run(requests, Site().fetch, manners=manners) for _ in range(2))

    assert first.outcomes == second.outcomes


@dataclass(frozen=True)
class Slow(Answered):
    """An answer that takes its time."""

    seconds: float = 0.0


def test_a_slow_answer_lets_virtual_time_pass_and_delays_no_other_host() -> None:
    def fetch(url: str, *_: object) -> Answered:
        return Slow(200, {"Content-Type": "text/html"}, b"<p>a", 25.0 if "slow" in url else 0.0)

    requests = [Request("http://slow.example/"), Request("http://fast.example/")]

    run = Run(requests, fetch, manners=Manners(delay=0.0, robots=False))

    assert [outcome.request.url for outcome in run.outcomes] == ["http://fast.example/", "http://slow.example/"]
    assert timedelta(seconds=25) <= run.took < timedelta(seconds=26)


def test_an_answer_that_is_slower_than_the_timeout_fails_when_the_timeout_is_over() -> None:
    def fetch(*_: object) -> Answered:
        return Slow(200, {}, b"", 100.0)

    run = Run([Request(f"{BASE}/")], fetch, manners=Manners(timeout=30.0, retries=0, robots=False))

    assert run.reasons == ["timeout"]
    assert timedelta(seconds=30) <= run.took < timedelta(seconds=31)


def test_a_slow_answer_arrives_although_decisions_are_awaited_meanwhile() -> None:
    async def decide(_: Outcome) -> Iterable[Request]:
        await asyncio.get_running_loop().run_in_executor(None, time.sleep, 0.01)
        return ()

    def fetch(url: str, *_: object) -> Answered:
        return Slow(200, {"Content-Type": "text/html"}, b"<p>a", 5.0 if "slow" in url else 0.0)

    requests = [Request("http://slow.example/"), *(Request(f"http://host{number}.example/") for number in range(5))]

    run = Run(requests, fetch, decide=decide, manners=Manners(delay=0.0, robots=False))

    assert len(run.outcomes) == 6
    assert timedelta(seconds=5) <= run.took < timedelta(seconds=6)
