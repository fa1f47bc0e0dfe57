"""A minimal crawler in virtual time, without Scrapy.

It takes the parameters of `crawling.simulated.crawl` and respects the limits that matter on a simulated web: concurrent
requests, per host and overall, and the delay between requests to a host. It does not handle redirects, retries,
robots.txt or encodings.
"""

from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, cast
from urllib.parse import urlsplit

from broadsheet.base.exchange import Exchange
from broadsheet.base.manners import Manners
from broadsheet.base.reasons import TIMEOUT
from broadsheet.crawling.fetch_messages import Decide, Failure, FetchAnswer, IsLasting, IsWanted, Outcome, Request, Wake
from broadsheet.crawling.simulated import Fetch, SlowAnswer, VirtualClock
from broadsheet.crawling.stop import Stop


class Host:
    """The requests to one host: those that wait, how many are under way, and when the next may be sent."""

    __slots__ = ("active", "free_at", "is_pausing", "queue")

    def __init__(self) -> None:
        """Start with none."""
        self.queue: list[tuple[int, int, Request]] = []
        self.active = 0
        self.free_at = 0.0
        self.is_pausing = False


class PlainEngine:
    """Sends requests when they are due and their host is free, and passes the answers on."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a crawl consists of
        self,
        decide: Decide,
        manners: Manners,
        clock: VirtualClock,
        fetch: Fetch,
        is_wanted: IsWanted,
        stop: Stop,
    ) -> None:
        """Take what answers requests, and what decides on the answers."""
        self._decide, self._manners, self._clock = decide, manners, clock
        self._fetch, self._is_wanted, self._stop = fetch, is_wanted, stop
        self._hosts: dict[str, Host] = {}
        #: Hosts that wait for one of all requests to end, in their order.
        self._turned_away: dict[str, None] = {}
        self._under_way = 0
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []

    def ask(self, requests: Iterable[Request]) -> None:
        """Take requests, each for when it is due."""
        for request in requests:
            due = request.not_before
            seconds = self._clock.real_seconds(due - self._clock.now()) if due else 0.0
            if seconds > 0:
                self.call_later(seconds, partial(self._queue, request))
            else:
                self._queue(request)

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something when so much time has passed."""
        heappush(self._events, (self._clock.monotonic() + seconds, next(self._numbers), action))

    @property
    def is_busy(self) -> bool:
        """Whether anything is going to happen."""
        return bool(self._events)

    def step(self) -> None:
        """Go on to the next thing that happens."""
        at, _, action = heappop(self._events)
        self._clock.advance(max(0.0, at - self._clock.monotonic()))
        action()

    def _queue(self, request: Request) -> None:
        name = urlsplit(request.url).hostname or ""
        host = self._hosts.setdefault(name, Host())
        heappush(host.queue, (-request.priority, next(self._numbers), request))
        self._send_next(name, host)

    def _send_next(self, name: str, host: Host) -> None:
        """Send what waits for a host, as far as the manners allow."""
        while host.queue and host.active < self._manners.per_host:
            if self._under_way >= self._manners.concurrency:
                self._turned_away[name] = None
                return
            pause = host.free_at - self._clock.monotonic()
            if pause > 0:
                if not host.is_pausing:
                    host.is_pausing = True
                    self.call_later(pause, partial(self._go_on, name, host))
                return
            request = heappop(host.queue)[2]
            is_late = request.not_after is not None and self._clock.now() > request.not_after
            if not is_late and not self._stop.ending and self._is_wanted(request):
                self._send(request, name, host)

    def _go_on(self, name: str, host: Host) -> None:
        host.is_pausing = False
        self._send_next(name, host)

    def _send(self, request: Request, name: str, host: Host) -> None:
        host.active += 1
        self._under_way += 1
        host.free_at = self._clock.monotonic() + self._manners.delay
        asked = {"If-None-Match": request.etag, "If-Modified-Since": request.last_modified}
        headers = {header: value for header, value in asked.items() if value}
        answer = self._fetch(request.url, self._clock.now(), headers)
        seconds = answer.seconds if isinstance(answer, SlowAnswer) else 0.0
        is_over = seconds > self._manners.timeout

        def arrive() -> None:
            host.active -= 1
            self._under_way -= 1
            now = self._clock.now()
            if is_over:
                detail = f"the response took longer than {self._manners.timeout:g} seconds"
                self._take(Failure(request, now, TIMEOUT, detail))
            else:
                told = tuple(answer.headers.items())
                exchange = Exchange(request.url, now, answer.status, told, answer.body, tuple(headers.items()))
                self._take(FetchAnswer(request, request.url, answer.status, answer.body, (exchange,)))
            self._turned_away.setdefault(name)
            for waiting in list(self._turned_away)[: self._manners.concurrency - self._under_way]:
                del self._turned_away[waiting]
                self._send_next(waiting, self._hosts[waiting])

        self.call_later(min(seconds, self._manners.timeout), arrive)

    def _take(self, outcome: Outcome) -> None:
        decision = self._decide(outcome)
        self.ask(decision if isinstance(decision, Iterable) else _result(cast("Coroutine[Any, Any, Any]", decision)))


def crawl(  # noqa: PLR0913 - the parameters of `crawling.simulated.crawl`
    requests: Iterable[Request],
    decide: Decide,
    *,
    manners: Manners,
    clock: VirtualClock,
    fetch: Fetch,
    idle: Callable[[], None],
    wake: Wake,
    every: float,
    is_wanted: IsWanted,
    is_lasting: IsLasting,
    stop: Stop,
) -> None:
    """Crawl a simulated web until no request is under way or waiting, and nothing more may come."""
    del idle
    engine = PlainEngine(decide, manners, clock, fetch, is_wanted, stop)

    def ring() -> None:
        engine.ask(wake())
        if engine.is_busy or is_lasting():
            engine.call_later(every, ring)

    engine.ask(requests)
    engine.call_later(every, ring)
    while engine.is_busy:
        engine.step()


def _result(coroutine: Coroutine[Any, Any, Any]) -> Iterable[Request]:
    """Run a coroutine that waits for nothing outside, and return its result."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        return cast("Iterable[Request]", ended.value)
    raise RuntimeError("a decision waits for something that only an event loop could bring")
