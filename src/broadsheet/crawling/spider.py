"""The spider: it fetches what it is asked for, tells what came of it, and asks what is next."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from functools import lru_cache
from typing import Any, Self, cast

import scrapy
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.python.failure import Failure as TwistedFailure

from broadsheet.base import events, statuses
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import ENCODING, STOPPED, TOO_LARGE_DECOMPRESSED, URL
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decoded
from broadsheet.crawling.errand import WAIT, Errand, carrying, errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request
from broadsheet.crawling.refusals import RequestRefused, unexpected

#: Nothing is tried twice: a header of nothing but blanks would take minutes.


class Courier(scrapy.Spider):
    """Runs errands for whoever decides; it never knows what a page means."""

    name = "broadsheet"

    def __init__(self, job: FetchJob) -> None:
        """Take on a job."""
        super().__init__()
        self.job = job
        self._was_idle = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:  # noqa: ANN401 - Scrapy passes them on
        """Make the spider of a crawler, which tells it when there is nothing to do."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.rest, signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Queue the first requests, all before any is fetched: priorities hold among them too."""
        try:
            for request in self._errands(self.job.requests):
                self.crawler.engine.crawl(request)
        except BaseException as error:  # noqa: BLE001 - Scrapy would log it and go on
            self.job.fail(error)
        nothing_else: tuple[scrapy.Request, ...] = ()
        for request in nothing_else:
            yield request

    def parse(self, response: Response, **_: Any) -> list[scrapy.Request]:  # noqa: ANN401 - as the base class has it
        """Tell of an answer and return what to fetch next."""
        return self._next(cast("scrapy.Request", response.request), lambda: self._page(response))

    def fail(self, failure: TwistedFailure) -> list[scrapy.Request]:
        """Tell of a failure and return what to fetch next."""
        request = cast("scrapy.Request", failure.request)  # type: ignore[attr-defined]
        return self._next(request, lambda: self._failed(request, cast("BaseException", failure.value)))

    def rest(self) -> None:
        """Say that nothing is in flight, once each time, and stay open while requests wait for their time."""
        if not self._was_idle:
            self._was_idle = True
            try:
                self.job.idle()
            except BaseException as error:  # noqa: BLE001 - Scrapy would log it and go on
                self.job.fail(error)
        if self.job.waiting:
            raise DontCloseSpider

    def finish(self) -> None:
        """Begin nothing more."""
        if dropped := self.job.waiting.clear():
            self.job.counters.count(events.SKIPPED, STOPPED, by=dropped)
        engine = self.crawler.engine
        # Where something is in flight, its end is what closes the spider.
        if engine.spider is not None and engine.spider_is_idle():
            self.rest()
            asyncio.ensure_future(engine.close_spider_async(reason="finished"))  # noqa: RUF006 - the engine waits for it

    def _errands(self, requests: Iterable[Request]) -> list[scrapy.Request]:
        """Return what to send for requests; what is no URL at all is told of at once."""
        found = []
        asked = deque(requests)
        while asked:
            request = asked.popleft()
            try:
                found.append(self._errand(request))
            except ValueError as error:
                refused = RequestRefused(URL, f"{request.url!r} is not an address: {error}")
                asked.extend(self.job.decide(self._failure(Errand(request, 0), refused)))
        return found

    def _errand(self, request: Request) -> scrapy.Request:
        # A fragment is the reader's own business and never sent.
        url = request.url.partition("#")[0]
        sent = scrapy.Request(url, self.parse, errback=self.fail, priority=request.priority)
        # The scheduler needs it, and one that cannot be read is no address.
        host_of(sent)
        sent.meta["download_timeout"] = self.job.manners.timeout
        if request.not_before is not None:
            sent.meta[WAIT] = max(0.0, self.job.clock.wait(request.not_before - self.job.clock.now()))
        return carrying(sent, Errand(request, self.job.manners.max_redirects, home=site_of(sent)))

    def _next(self, request: scrapy.Request, outcome: Callable[[], Outcome]) -> list[scrapy.Request]:
        """Tell of an outcome; what whoever decides raises ends the crawl, as Scrapy would log it and go on."""
        self._was_idle = False
        if self.job.is_over:
            return []
        try:
            return self._errands(self.job.decide(self._whatever(request, outcome)))
        except BaseException as error:  # noqa: BLE001
            self.job.fail(error)
            return []

    def _whatever(self, request: scrapy.Request, outcome: Callable[[], Outcome]) -> Outcome:
        """Return an outcome, whatever came: an answer odd enough to raise something ends its own request alone."""
        try:
            return outcome()
        except Exception as error:  # noqa: BLE001 - that is the point
            return self._failure(errand_of(request), unexpected(error))

    def _failed(self, request: scrapy.Request, error: BaseException) -> Failure:
        return self._failure(errand_of(request), self.job.refusal(host_of(request), error))

    def _page(self, response: Response) -> Outcome:
        request = cast("scrapy.Request", response.request)
        errand = errand_of(request)
        try:
            content = self._content(response)
        except TooLargeDecompressed as error:
            return self._failure(errand, RequestRefused(TOO_LARGE_DECOMPRESSED, str(error)))
        except CorruptBody as error:
            return self._failure(errand, RequestRefused(ENCODING, str(error)))
        exchanges = tuple(errand.exchanges)
        return FetchAnswer(errand.request, response.url, response.status, content, exchanges)

    def _content(self, response: Response) -> bytes:
        if response.status == statuses.NOT_MODIFIED:
            return b""
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        return decoded(response.body, encodings, self.job.manners.max_decompressed_bytes)

    def _failure(self, errand: Errand, refused: RequestRefused) -> Failure:
        self.job.counters.count(events.FAILED, refused.reason)
        now = self.job.clock.now()
        return Failure(errand.request, now, refused.reason, refused.detail, tuple(errand.exchanges))


def job_of(crawler: Crawler) -> FetchJob:
    """Return the job that a crawler's spider has taken on."""
    return cast("Courier", crawler.spider).job


def host_of(request: scrapy.Request) -> str:
    """Return the host that a request goes to, which is also the name of its slot."""
    return urlparse_cached(request).hostname or ""


def site_of(request: scrapy.Request) -> str:
    """Return the registrable domain of the host that a request goes to."""
    return _site(host_of(request))


# The scheduler asks for every request that is under way, again and again.
@lru_cache(maxsize=4096)
def _site(host: str) -> str:
    return registrable_domain(host)
