"""The pause between two requests to a site, whichever of its hosts they go to."""

import asyncio

import scrapy
from scrapy.crawler import Crawler

from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.spider import job_of, site_of

#: Beyond this many sites, those that were left in peace for long enough are forgotten.
_MANY = 1000


class PausesMiddleware:
    """Lets the requests to one site begin one after the other; Scrapy's slots do the same for each host alone."""

    def __init__(self, job: FetchJob) -> None:
        """Begin with every site free."""
        self._delay = job.manners.delay
        self._free: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "PausesMiddleware":
        """Make the middleware of a crawler."""
        return cls(job_of(crawler))

    async def process_request(self, request: scrapy.Request) -> None:
        """Hold a request back until its turn on the site."""
        if not self._delay:
            return
        now = asyncio.get_running_loop().time()
        if len(self._free) > _MANY:
            self._free = {site: free for site, free in self._free.items() if free > now}
        site = site_of(request)
        begin = max(now, self._free.get(site, now))
        self._free[site] = begin + self._delay
        if begin > now:
            await asyncio.sleep(begin - now)
