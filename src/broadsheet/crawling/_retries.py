"""Retry transient failures with exponential backoff."""

import math
import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime, parsedate_tz

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Response

from broadsheet.base import counter_names, statuses
from broadsheet.base.reasons import TRANSIENT
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._fetch_state import WAIT, state_of
from broadsheet.crawling._refusals import RequestRefused
from broadsheet.crawling._spider import host_of, job_of

#: Seconds before the first retry; the wait doubles with each further one.
INITIAL_WAIT = 2.0
#: The longest `Retry-After` that is honoured; with a longer one, the response is returned as it is.
MAX_RETRY_AFTER = 120.0
_JITTER = 0.25
#: No date is longer, and the parser slows down with the length.
_MAX_DATE = 100


class RetriesMiddleware:
    """Retry a request as often as the manners allow; the last failure is its outcome."""

    def __init__(self, job: FetchJob) -> None:
        """Retry the requests of a job."""
        self._job = job
        # Jitter spreads out requests that failed together; the fixed seed makes simulations repeatable.
        self._rng = random.Random(0)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RetriesMiddleware":
        """Create the middleware for a crawler."""
        return cls(job_of(crawler))

    def process_response(self, request: scrapy.Request, response: Response) -> Response | scrapy.Request:
        """Return the request to retry, or the response."""
        if response.status not in statuses.PASSING:
            return response
        retry_after = _retry_after(response, self._job.clock.now())
        if retry_after > MAX_RETRY_AFTER:
            return response
        retry = self._retry(request, str(response.status), retry_after)
        if retry is None:
            return response
        # Only the last response is part of the outcome.
        state_of(request).exchanges.pop()
        return retry

    def process_exception(self, request: scrapy.Request, exception: Exception) -> scrapy.Request | None:
        """Return the request to retry, or None if it has failed for good."""
        if isinstance(exception, RequestRefused):
            # Refused by what is known of its host, it would be refused again.
            return None
        reason = self._job.refusal(host_of(request), exception).reason
        return self._retry(request, reason, 0.0) if reason in TRANSIENT else None

    def _retry(self, request: scrapy.Request, reason: str, min_wait: float) -> scrapy.Request | None:
        state = state_of(request)
        is_over = self._job.is_finishing or self._job.is_late(state.request)
        if state.is_robots or is_over or state.tries >= self._job.manners.retries:
            return None
        wait = INITIAL_WAIT * 2**state.tries
        state.tries += 1
        self._job.counters.count(counter_names.RETRIES, reason)
        retry = request.copy()
        retry.meta[WAIT] = max(min_wait, wait * (1 + self._rng.random() * _JITTER))
        return retry


def _retry_after(response: Response, now: datetime) -> float:
    """Return the seconds of `Retry-After`, 0 without one."""
    text = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    date = text[:_MAX_DATE]
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        # A date beyond the calendar is later than we would wait.
        return math.inf if parsedate_tz(date) else 0.0
    return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds())
