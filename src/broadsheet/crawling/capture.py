"""Every answer as it came over the wire, before anything is made of it."""

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Headers, Response
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.base import exchange
from broadsheet.crawling.errand import errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.refusals import STATUS, RequestRefused
from broadsheet.crawling.spider import job_of

#: What was taken off the body already, and so would be untrue of it.
_TAKEN_OFF = frozenset((b"Transfer-Encoding",))
#: Statuses have three digits (RFC 9110); what has more or fewer is not an answer to HTTP.
_STATUSES = range(100, 1000)


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
        del request
        self._counters.count("requests")

    def process_response(self, request: scrapy.Request, response: Response) -> Response:
        """Note what came; an answer whose status is none is not kept."""
        self._counters.count("bytes", by=len(response.body))
        if response.status not in _STATUSES:
            raise RequestRefused(STATUS, f"{request.url} answered {response.status}, which is not a status")
        self._counters.count("answers", str(response.status))
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
