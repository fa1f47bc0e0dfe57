"""Another try for what failed in passing, later each time."""

import math
import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime, parsedate_tz

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Response

from broadsheet.base import events, statuses
from broadsheet.base.reasons import TRANSIENT
from broadsheet.crawling.errand import WAIT, errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.spider import host_of, job_of

#: Seconds before the first further try; every next one waits twice as long.
FIRST_WAIT = 2.0
#: The longest that a server's Retry-After is waited for; beyond it the answer is given as it is.
LONGEST_WAIT = 120.0
_FURTHER_SPREAD = 0.25
#: No date is longer, and reading one takes longer the longer it is.
_MOST_DATE = 100


class RetriesMiddleware:
    """Sends a request again after a pause, as often as the manners allow; then it ends as it ended last."""

    def __init__(self, job: FetchJob) -> None:
        """Retry for a job."""
        self._job = job
        # What was refused together must not all come back together; seeded, so that a simulation repeats.
        self._random = random.Random(0)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RetriesMiddleware":
        """Make the middleware of a crawler."""
        return cls(job_of(crawler))

    def process_response(self, request: scrapy.Request, response: Response) -> Response | scrapy.Request:
        """Return the request for another try, or the answer."""
        if response.status not in statuses.PASSING:
            return response
        asked = _retry_after(response, self._job.clock.now())
        if asked > LONGEST_WAIT:
            return response
        again = self._again(request, str(response.status), asked)
        if again is None:
            return response
        # It will be asked for again, so this answer is none.
        errand_of(request).exchanges.pop()
        return again

    def process_exception(self, request: scrapy.Request, exception: Exception) -> scrapy.Request | None:
        """Return the request for another try, or nothing: then it has failed."""
        reason = self._job.refusal(host_of(request), exception).reason
        return self._again(request, reason, 0.0) if reason in TRANSIENT else None

    def _again(self, request: scrapy.Request, reason: str, asked: float) -> scrapy.Request | None:
        errand = errand_of(request)
        over = self._job.is_finishing or self._job.is_late(errand.request)
        if errand.is_robots or over or errand.tries >= self._job.manners.retries:
            return None
        pause = FIRST_WAIT * 2**errand.tries
        errand.tries += 1
        self._job.counters.count(events.RETRIES, reason)
        again = request.copy()
        again.meta[WAIT] = max(asked, pause * (1 + self._random.random() * _FURTHER_SPREAD))
        return again


def _retry_after(response: Response, now: datetime) -> float:
    """Return the seconds that a server asks to wait, 0 where it does not say."""
    text = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    date = text[:_MOST_DATE]
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        # A date that no calendar holds is later than anybody waits.
        return math.inf if parsedate_tz(date) else 0.0
    return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds())
