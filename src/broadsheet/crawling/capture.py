"""Record every HTTP exchange as it came over the wire, before any decoding."""

from collections import Counter

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Headers, Response
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.base import counter_names, exchange, statuses
from broadsheet.base.counters import Counters
from broadsheet.base.reasons import STATUS
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._fetch_state import state_of
from broadsheet.crawling._refusals import RequestRefused
from broadsheet.crawling._spider import job_of

#: Headers that no longer describe the body: Twisted has already removed the transfer encoding.
_DROPPED_HEADERS = frozenset((b"Transfer-Encoding",))


class CaptureMiddleware:
    """Append each exchange to the state of its request and count it; the middleware closest to the downloader."""

    def __init__(self, job: FetchJob) -> None:
        """Capture the exchanges of a job."""
        self._clock = job.clock
        self._counters = job.counters

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "CaptureMiddleware":
        """Create the middleware for a crawler."""
        return cls(job_of(crawler))

    def process_request(self, request: scrapy.Request) -> None:
        """Count the request."""
        state_of(request).is_in_flight = True
        self._counters.count(counter_names.REQUESTS)

    def process_response(self, request: scrapy.Request, response: Response) -> Response:
        """Record the response; one with an impossible status is refused."""
        state_of(request).is_in_flight = False
        self._counters.count(counter_names.BYTES, by=len(response.body))
        if response.status not in statuses.ALL:
            self._counters.count(counter_names.UNANSWERED)
            raise RequestRefused(STATUS, f"{request.url} answered {response.status}, which is not an HTTP status")
        self._counters.count(counter_names.ANSWERS, str(response.status))
        state_of(request).exchanges.append(
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
        """Count a request that was sent but not answered; a request that was refused earlier was never sent."""
        del exception
        state = state_of(request)
        if state.is_in_flight:
            state.is_in_flight = False
            self._counters.count(counter_names.UNANSWERED)


def in_flight(counters: Counters) -> int:
    """Return how many requests have been sent and not been answered yet, according to the counters."""
    totals = Counter[str]()
    for counted, number in counters.snapshot().items():
        totals[counted.name] += number
    return totals[counter_names.REQUESTS] - totals[counter_names.ANSWERS] - totals[counter_names.UNANSWERED]


def _netloc(request: scrapy.Request) -> str:
    # The HTTP client adds the Host header itself, without user information.
    return urlparse_cached(request).netloc.rpartition("@")[2]


def _pairs(headers: Headers) -> exchange.Headers:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        if name not in _DROPPED_HEADERS
        for value in values
    )
