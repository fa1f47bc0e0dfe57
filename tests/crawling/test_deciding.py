"""A `decide` that answers later: the crawl goes on meanwhile, and waits for it in the end."""

import asyncio
import gc
import gzip
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Timer

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.manners import Manners
from broadsheet.crawling import _decisions
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.crawling.simulated import VirtualClock, crawl
from broadsheet.crawling.stop import Stop
from tests.crawling.crawler import live
from tests.crawling.scripted import Answered, Site, page, serving
from tests.crawling.simulation import BASE, START, Run, at
from tests.crawling.test_live_crawl import MANNERS, requests_for

PLAIN = Manners(delay=0.0, robots=False)


@dataclass
class Desk:
    """Leaves every outcome undecided until it has as many as it was told, then answers all of them."""

    until: int
    reply: dict[str, list[Request]] = field(default_factory=dict)
    open: list[tuple[Outcome, "asyncio.Future[None]"]] = field(default_factory=list)
    most: int = 0

    async def decide(self, outcome: Outcome) -> Iterable[Request]:
        answered = asyncio.get_running_loop().create_future()
        self.open.append((outcome, answered))
        self.most = max(self.most, len(self.open))
        if len(self.open) == self.until:
            for _, other in self.open:
                other.set_result(None)
            self.open.clear()
        await answered
        return self.reply.pop(outcome.request.tag, [])


def test_other_requests_are_fetched_while_outcomes_are_undecided() -> None:
    desk = Desk(until=20)

    run = Run([Request(f"{BASE}/{number}") for number in range(20)], decide=desk.decide, manners=PLAIN)

    assert (len(run.outcomes), desk.most) == (20, 20)


def test_what_an_awaited_decision_asks_for_is_fetched() -> None:
    desk = Desk(until=1, reply={"first": [Request(f"{BASE}/second", tag="second")]})

    run = Run([Request(f"{BASE}/first", tag="first")], decide=desk.decide)

    assert run.tags == ["first", "second"]


def test_failures_and_invalid_addresses_are_awaited_too() -> None:
    more = [Request(f"{BASE}/more", tag="more")]
    desk = Desk(until=1, reply={"odd": [Request("http://[also-odd", tag="also odd")], "also odd": more})

    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("/broken"):
            raise ConnectionResetError("hung up")
        return page()

    requests = [Request("no address", tag="odd"), Request(f"{BASE}/broken", tag="broken")]
    run = Run(requests, fetch, decide=desk.decide, manners=Manners(delay=0.0, robots=False, retries=0))

    assert dict(zip(run.tags, run.reasons, strict=True)) == {
        "odd": "url",
        "also odd": "url",
        "broken": "connection",
        "more": "200",
    }


def test_an_invalid_address_does_not_hold_up_the_others() -> None:
    desk = Desk(until=2)

    run = Run([Request("no address", tag="odd"), Request(f"{BASE}/", tag="page")], decide=desk.decide, manners=PLAIN)

    assert sorted(run.tags) == ["odd", "page"]
    assert desk.most == 2


def test_virtual_time_stands_still_while_another_thread_works() -> None:
    release = Event()

    def fetch(*_: object) -> Answered:
        return page()

    def work(outcome: Outcome) -> list[Request]:
        release.wait(20)
        return [Request(f"{BASE}/next", tag="next")] if outcome.request.tag == "first" else []

    with ThreadPoolExecutor(1) as threads:
        later = [Request(f"{BASE}/later", tag="later", not_before=at(60))]
        Timer(0.3, release.set).start()
        run = Run(
            [Request(f"{BASE}/", tag="first"), *later],
            fetch,
            decide=lambda outcome: asyncio.wrap_future(threads.submit(work, outcome)),
            manners=Manners(delay=1.0, robots=False),
        )

    assert run.tags == ["first", "next", "later"]
    assert [outcome.exchanges[-1].at for outcome in run.outcomes][1] < at(0.1)


def test_a_decision_cannot_sleep_in_virtual_time() -> None:
    async def decide(_: Outcome) -> Iterable[Request]:
        await asyncio.sleep(1)
        return ()

    with pytest.raises(RuntimeError, match="cannot sleep in a simulated crawl"):
        Run([Request(f"{BASE}/")], decide=decide)


def test_an_error_of_an_awaited_decision_reaches_the_caller() -> None:
    async def decide(_: Outcome) -> Iterable[Request]:
        await asyncio.sleep(0)
        raise LookupError("at a loss")

    with pytest.raises(LookupError, match="at a loss"):
        Run([Request(f"{BASE}/{number}") for number in range(5)], decide=decide)


def test_a_crawl_is_idle_only_when_all_is_decided() -> None:
    undecided: set[str] = set()
    undecided_at_idle: list[int] = []

    async def decide(outcome: Outcome) -> Iterable[Request]:
        undecided.add(outcome.request.tag)
        for _ in range(300):
            await asyncio.sleep(0)
        undecided.discard(outcome.request.tag)
        return ()

    crawl(
        [Request(f"{BASE}/{number}", tag=str(number)) for number in range(5)],
        decide,
        manners=PLAIN,
        clock=VirtualClock(START),
        fetch=Site().fetch,
        idle=lambda: undecided_at_idle.append(len(undecided)),
    )

    assert undecided_at_idle == [0]


def test_finish_waits_for_what_is_being_decided() -> None:
    stop = Stop()
    decided: list[str] = []

    async def decide(outcome: Outcome) -> Iterable[Request]:
        stop.finish()
        for _ in range(100):
            await asyncio.sleep(0)
        decided.append(outcome.request.tag)
        return [Request(f"{BASE}/more", tag="more")]

    run = Run([Request(f"{BASE}/", tag="first"), Request(f"{BASE}/later", not_before=at(9))], decide=decide, stop=stop)

    assert (run.tags, decided) == (["first"], ["first"])
    assert run.counters.total("skipped") == 2
    assert run.idle_at


def test_now_cancels_what_is_being_decided(capfd: pytest.CaptureFixture[str]) -> None:
    stop = Stop()
    ended: list[str] = []

    async def decide(_: Outcome) -> Iterable[Request]:
        stop.now()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ended.append("cancelled")
        return ()

    Run([Request(f"{BASE}/")], decide=decide, stop=stop)
    gc.collect()

    assert ended == ["cancelled"]
    assert capfd.readouterr().err == ""


def test_now_from_another_thread_ends_a_crawl_that_waits_for_a_decision() -> None:
    stop = Stop()
    never: Future[list[Request]] = Future()
    Timer(0.3, stop.now).start()

    requests = [Request(f"{BASE}/"), Request(f"{BASE}/later", not_before=at(60))]
    run = Run(requests, decide=lambda _: asyncio.wrap_future(never), stop=stop)

    assert len(run.outcomes) == 1
    assert never.cancelled()


@pytest.mark.parametrize("packed", [False, True])
def test_fetching_pauses_while_too_many_bytes_are_undecided(packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_decisions, "MAX_WAITING_BYTES", 1_000_000)
    body = bytes(200_000)
    answer = page(gzip.compress(body, mtime=0), Content_Encoding="gzip") if packed else page(body)
    counts: list[int] = []
    waiting: list[asyncio.Future[list[Request]]] = []

    def fetch(*_: object) -> Answered:
        return answer

    async def drained() -> None:
        # Long after the last page could have come.
        for _ in range(300):
            await asyncio.sleep(0)
        counts.append(len(waiting))
        for future in waiting:
            future.set_result([])
        waiting.clear()

    draining: list[asyncio.Task[None]] = []

    def decide(_: Outcome) -> "asyncio.Future[list[Request]]":
        if not waiting:
            draining.append(asyncio.ensure_future(drained()))
        waiting.append(asyncio.get_running_loop().create_future())
        return waiting[-1]

    manners = Manners(delay=0.0, robots=False, per_host=2)
    run = Run([Request(f"{BASE}/{number}") for number in range(40)], fetch, decide=decide, manners=manners)

    assert len(run.outcomes) == 40
    # Those in flight when the limit is reached still arrive.
    assert max(counts) <= 10
    assert len(counts) >= 4


def test_one_page_larger_than_the_limit_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_decisions, "MAX_WAITING_BYTES", 10)
    desk = Desk(until=1)

    run = Run([Request(f"{BASE}/{number}") for number in range(5)], decide=desk.decide)

    assert len(run.outcomes) == 5


def test_a_live_crawl_goes_on_while_a_page_is_undecided() -> None:
    others = ["/far/3", "/missing", "/moved", "/circle/a", "/private/x"]
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/page", *others]), MANNERS, decide="await", others=len(others))

    assert sorted(outcome.request.tag for outcome in crawled.outcomes) == sorted(["/page", "more", *others])
    assert crawled.report["decided"].index("/page") == len(others)
    assert (crawled.report["error"], crawled.err) == (None, "")
    assert crawled.report["idle_while_deciding"] == 0


def test_an_error_of_an_awaited_decision_ends_a_live_crawl() -> None:
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/silence", "/page"]), MANNERS, decide="await and raise")

    assert crawled.report["error"] == "LookupError: decide is at a loss"
    assert crawled.err == ""


def test_finish_waits_for_decisions_in_a_live_crawl() -> None:
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/page"]), MANNERS, decide="await and finish", others=0)

    assert crawled.report["decided"] == ["/page"]
    assert crawled.report["counted"]["skipped stopped"] == 1
    assert crawled.err == ""


@pytest.mark.parametrize("how", ["thread", "signal"])
def test_now_ends_a_live_crawl_that_waits_for_a_decision(how: str) -> None:
    with serving(Site()) as base:
        requests = requests_for(base, ["/page", "/moved"])
        crawled = live(requests, MANNERS, decide="await forever", stop_after=2.0, stop_by=how)

    assert crawled.report["decided"] == ["cancelled"] * len(crawled.outcomes)
    assert (crawled.report["error"], crawled.err) == (None, "")
    assert crawled.report["seconds"] < 20
