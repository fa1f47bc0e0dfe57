"""Enforce the delay between two requests to a site, across all of its hosts."""

import asyncio

import scrapy
from scrapy.crawler import Crawler

from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._spider import job_of, site_of

#: Beyond this many sites, those whose delay is over are forgotten.
_MAX_SITES = 1000


class PausesMiddleware:
    """Space out the requests to one site; Scrapy's slots only do so per host."""

    def __init__(self, job: FetchJob) -> None:
        """Start with every site free."""
        self._delay = job.manners.delay
        self._free_at: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "PausesMiddleware":
        """Create the middleware for a crawler."""
        return cls(job_of(crawler))

    async def process_request(self, request: scrapy.Request) -> None:
        """Delay a request until the site is free."""
        if not self._delay:
            return
        now = asyncio.get_running_loop().time()
        if len(self._free_at) > _MAX_SITES:
            self._free_at = {site: free_at for site, free_at in self._free_at.items() if free_at > now}
        site = site_of(request)
        begin = max(now, self._free_at.get(site, now))
        self._free_at[site] = begin + self._delay
        if begin > now:
            await asyncio.sleep(begin - now)
