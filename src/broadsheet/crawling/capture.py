"""Every answer as it came over the wire, before anything is made of it."""

from collections import Counter

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Headers, Response
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.base import events, exchange, statuses
from broadsheet.base.counters import Counters
from broadsheet.base.reasons import STATUS
from broadsheet.crawling.errand import errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.refusals import RequestRefused
from broadsheet.crawling.spider import job_of

#: What was taken off the body already, and so would be untrue of it.
_TAKEN_OFF = frozenset((b"Transfer-Encoding",))


class CaptureMiddleware:
    """Notes each exchange on its errand and counts it; it stands next to the downloader."""

    def __init__(self, job: FetchJob) -> None:
        """Capture for a job."""
        self._clock = job.clock
        self._counters = job.counters

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "CaptureMiddleware":
        """Make the middleware of a crawler."""
        return cls(job_of(crawler))

    def process_request(self, request: scrapy.Request) -> None:
        """Count what is asked."""
        errand_of(request).is_out = True
        self._counters.count(events.REQUESTS)

    def process_response(self, request: scrapy.Request, response: Response) -> Response:
        """Note what came; an answer whose status is none is not kept."""
        errand_of(request).is_out = False
        self._counters.count(events.BYTES, by=len(response.body))
        if response.status not in statuses.ALL:
            self._counters.count(events.UNANSWERED)
            raise RequestRefused(STATUS, f"{request.url} answered {response.status}, which is not a status")
        self._counters.count(events.ANSWERS, str(response.status))
        errand_of(request).exchanges.append(
            exchange.Exchange(
                url=request.url,
                at=self._clock.now(),
                status=response.status,
                headers=_pairs(response.headers),
                body=response.body,
                asked=(("Host", _netloc(request)), *_pairs(request.headers)),
                address=None if response.ip_address is None else str(response.ip_address),
                protocol=response.protocol or "HTTP/1.1",
            )
        )
        return response

    def process_exception(self, request: scrapy.Request, exception: Exception) -> None:
        """Count a request that was sent and got no answer; one that was refused before was not sent."""
        del exception
        errand = errand_of(request)
        if errand.is_out:
            errand.is_out = False
            self._counters.count(events.UNANSWERED)


def in_flight(counters: Counters) -> int:
    """Return how many requests have been sent and wait for their answers, by what was counted."""
    numbers = Counter[str]()
    for counted, number in counters.snapshot().items():
        numbers[counted.name] += number
    return numbers[events.REQUESTS] - numbers[events.ANSWERS] - numbers[events.UNANSWERED]


def _netloc(request: scrapy.Request) -> str:
    # The client adds the header itself, after a user's name was taken off.
    return urlparse_cached(request).netloc.rpartition("@")[2]


def _pairs(headers: Headers) -> exchange.Headers:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        if name not in _TAKEN_OFF
        for value in values
    )
