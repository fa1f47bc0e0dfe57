"""The spider: it fetches requests, passes their outcomes to `decide`, and fetches what that returns."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import timedelta
from functools import lru_cache
from typing import Any, Self, cast
from urllib.parse import urlsplit

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from broadsheet.base import counter_names, statuses
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import ENCODING, STOPPED, TOO_LARGE_DECOMPRESSED
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._fetch_state import WAIT, FetchState, attach_state, state_of
from broadsheet.crawling._refusals import RequestRefused, unexpected
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decode_body
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request

#: Stands for a URL that is not valid, as Scrapy accepts only valid ones.
_PLACEHOLDER = "http://invalid/"


class FetchSpider(scrapy.Spider):
    """Fetch what `decide` asks for, without interpreting pages."""

    name = "broadsheet"

    def __init__(self, job: FetchJob) -> None:
        """Create the spider of a job."""
        super().__init__()
        self.job = job
        self._was_idle = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:  # noqa: ANN401 - Scrapy passes them on
        """Create the spider for a crawler, and connect its idle signal."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.on_idle, signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Queue all initial requests before any is fetched, so that their priorities take effect."""
        self._fetch_all(lambda: self.job.requests)
        self._set_alarm()
        no_more: tuple[scrapy.Request, ...] = ()
        for request in no_more:
            yield request

    async def parse(self, response: Response, **_: Any) -> None:  # noqa: ANN401 - the signature of the base class
        """Report a response and fetch what comes next."""
        await self._report(cast("scrapy.Request", response.request), lambda: self._to_answer(response))

    async def fail(self, failure: TwistedFailure) -> None:
        """Report a failure and fetch what comes next."""
        request = cast("scrapy.Request", failure.request)  # type: ignore[attr-defined]
        await self._report(request, lambda: self._to_failure(request, cast("BaseException", failure.value)))

    def on_idle(self) -> None:
        """Call `idle` once per idle period, and keep the spider open while requests are delayed or more come."""
        if not self._was_idle:
            self._was_idle = True
            try:
                self.job.idle()
            except BaseException as error:  # noqa: BLE001 - Scrapy would only log it
                self.job.fail(error)
        if not self.job.delayed:
            # What this fetches keeps the spider open.
            self._wake()
        if self.job.delayed or (self.job.is_lasting() and not self.job.is_finishing):
            raise DontCloseSpider

    def finish(self) -> None:
        """Start no more requests."""
        if dropped := self.job.delayed.clear():
            self.job.counters.count(counter_names.SKIPPED, STOPPED, by=dropped)
        engine = self.crawler.engine
        # If requests are in flight, the end of the last one closes the spider.
        if engine.spider is not None and engine.spider_is_idle():
            self.on_idle()
            asyncio.ensure_future(engine.close_spider_async(reason="finished"))  # noqa: RUF006 - the engine waits for it

    def _set_alarm(self) -> None:
        if self.job.wake is not None:
            seconds = self.job.clock.real_seconds(timedelta(seconds=self.job.every))
            asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        if self.crawler.engine.spider is not None:
            self._wake()
            self._set_alarm()
            self._close_if_over()

    def _close_if_over(self) -> None:
        """End a crawl that went on without any request, and no longer has to."""
        engine = self.crawler.engine
        if engine.spider_is_idle() and not self.job.delayed and not self.job.is_lasting():
            asyncio.ensure_future(engine.close_spider_async(reason="finished"))  # noqa: RUF006 - the engine waits for it

    def _wake(self) -> None:
        if self.job.wake is not None and not self.job.is_finishing:
            self._fetch_all(self.job.wake)

    def _fetch_all(self, requests: Callable[[], Iterable[Request]]) -> None:
        """Queue requests; an error in producing them ends the crawl, whereas Scrapy would only log it."""
        try:
            for request in [self._to_scrapy(request) for request in requests()]:
                self.crawler.engine.crawl(request)
        except BaseException as error:  # noqa: BLE001
            self.job.fail(error)

    def _to_scrapy(self, request: Request) -> scrapy.Request:
        """Convert a request for Scrapy; one without a valid URL fails as if it had been sent."""
        try:
            return self._to_valid(request)
        except ValueError as error:
            state = FetchState(request, 0, invalid=f"{request.url!r} is not a valid URL: {error}")
            return attach_state(scrapy.Request(_PLACEHOLDER, self.parse, errback=self.fail), state)

    def _to_valid(self, request: Request) -> scrapy.Request:
        # Fragments are never sent to a server.
        url = request.url.partition("#")[0]
        sent = scrapy.Request(url, self.parse, errback=self.fail, priority=request.priority)
        # Fail early: the scheduler needs the host, and parsing it raises if the URL is invalid.
        host_of(sent)
        sent.meta["download_timeout"] = self.job.manners.timeout
        if request.not_before is not None:
            sent.meta[WAIT] = max(0.0, self.job.clock.real_seconds(request.not_before - self.job.clock.now()))
        return attach_state(sent, FetchState(request, self.job.manners.max_redirects, home=site_of(sent)))

    async def _report(self, request: scrapy.Request, outcome: Callable[[], Outcome]) -> None:
        """Pass an outcome to `decide` and fetch what that returns."""
        self._was_idle = False
        if self.job.is_over:
            return
        try:
            wanted = await self._decision(self._guarded(request, outcome))
        except BaseException as error:  # noqa: BLE001 - Scrapy would only log it
            self.job.fail(error)
        else:
            if not self.job.is_over:
                self._fetch_all(lambda: wanted)

    async def _decision(self, outcome: Outcome) -> Iterable[Request]:
        decision = self.job.decide(outcome)
        return await self.job.decisions.wait(outcome, decision) if isinstance(decision, Awaitable) else decision

    def _guarded(self, request: scrapy.Request, outcome: Callable[[], Outcome]) -> Outcome:
        """Return an outcome; a response so odd that reading it raises fails its own request only."""
        try:
            return outcome()
        except Exception as error:  # noqa: BLE001 - any error must become a failure
            return self._failure(state_of(request), unexpected(error))

    def _to_failure(self, request: scrapy.Request, error: BaseException) -> Failure:
        return self._failure(state_of(request), self.job.refusal(host_of(request), error))

    def _to_answer(self, response: Response) -> Outcome:
        request = cast("scrapy.Request", response.request)
        state = state_of(request)
        try:
            content = self._content(response)
        except TooLargeDecompressed as error:
            return self._failure(state, RequestRefused(TOO_LARGE_DECOMPRESSED, str(error)))
        except CorruptBody as error:
            return self._failure(state, RequestRefused(ENCODING, str(error)))
        exchanges = tuple(state.exchanges)
        return FetchAnswer(state.request, response.url, response.status, content, exchanges, state.sitemaps)

    def _content(self, response: Response) -> bytes:
        if response.status == statuses.NOT_MODIFIED:
            return b""
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        return decode_body(response.body, encodings, self.job.manners.max_decompressed_bytes)

    def _failure(self, state: FetchState, refused: RequestRefused) -> Failure:
        self.job.counters.count(counter_names.FAILED, refused.reason)
        now = self.job.clock.now()
        return Failure(state.request, now, refused.reason, refused.detail, tuple(state.exchanges))


def job_of(crawler: Crawler) -> FetchJob:
    """Return the job of a crawler's spider."""
    return cast("FetchSpider", crawler.spider).job


def host_of(request: scrapy.Request) -> str:
    """Return the host of a request, which is also the name of its slot."""
    return _host(request.url)


def site_of(request: scrapy.Request) -> str:
    """Return the registrable domain of a request's host."""
    return _site(host_of(request))


# The scheduler looks these up for every request in flight whenever it can start another one.
@lru_cache(maxsize=4096)
def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


@lru_cache(maxsize=4096)
def _site(host: str) -> str:
    return registrable_domain(host)
