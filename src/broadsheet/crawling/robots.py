"""robots.txt, read as RFC 9309 says: what a site does not want fetched is not, and no faster than it wants."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import scrapy
from protego import Protego
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.crawling.encodings import CorruptBody, decoded
from broadsheet.crawling.errand import Errand, carrying, errand_of
from broadsheet.crawling.identity import TOKEN
from broadsheet.crawling.job import Job
from broadsheet.crawling.messages import Request
from broadsheet.crawling.refusals import ADDRESS, ROBOTS, ROBOTS_UNREACHABLE, Refused
from broadsheet.crawling.spider import host_of, job_of

#: What is read of a robots.txt; the rest is as if it were not there.
MOST_BYTES = 512_000
MOST_REDIRECTS = 5
#: How long a site is left alone whose robots.txt could not be had.
UNREACHABLE_FOR = timedelta(minutes=10)
#: Beyond this many sites, those whose rules have expired are forgotten.
_MANY = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """What one site says, or why nothing of it may be fetched, and until when that is believed."""

    until: datetime
    says: Protego | Refused
    delay: float = 0.0


class RobotsMiddleware:
    """Asks each site's robots.txt before its first page, in the same queue as the page, and again when it is old."""

    def __init__(self, crawler: Crawler, job: Job) -> None:
        """Begin knowing no site."""
        self._crawler = crawler
        self._job = job
        self._known: dict[str, Rules] = {}
        self._asked: dict[str, asyncio.Future[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        """Make the middleware of a crawler."""
        return cls(crawler, job_of(crawler))

    async def process_request(self, request: scrapy.Request) -> None:
        """Let a request pass if its site lets it."""
        if not self._job.manners.robots or errand_of(request).is_robots:
            return
        rules = await self._rules(request)
        self._slow_down(host_of(request), rules)
        if isinstance(rules.says, Refused):
            raise Refused(rules.says.reason, rules.says.detail)
        if not rules.says.can_fetch(request.url, TOKEN):
            raise Refused(ROBOTS, f"the site's robots.txt does not want {request.url} fetched")

    async def _rules(self, request: scrapy.Request) -> Rules:
        parts = urlparse_cached(request)
        site = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        known = self._known.get(site)
        if known is not None and self._job.clock.now() < known.until:
            return known
        if site not in self._asked:
            self._asked[site] = asyncio.ensure_future(self._ask(site))
            self._asked[site].add_done_callback(lambda _: self._asked.pop(site))
        # One waiting page that is cancelled must not take the answer from the others.
        return await asyncio.shield(self._asked[site])

    async def _ask(self, site: str) -> Rules:
        url = f"{site}/robots.txt"
        errand = Errand(Request(url), MOST_REDIRECTS, is_robots=True)
        request = carrying(scrapy.Request(url), errand)
        request.meta["download_timeout"] = self._job.manners.timeout
        try:
            rules = self._read(await self._crawler.engine.download_async(request))
        except Exception as error:  # noqa: BLE001 - whatever it is: the rules of the site are not known
            refused = self._job.refusal(host_of(request), error)
            if refused.reason != ADDRESS:
                refused = Refused(ROBOTS_UNREACHABLE, f"{url} could not be had: {refused.detail}")
            rules = self._unreachable(refused)
        self._forget_old()
        self._known[site] = rules
        return rules

    def _read(self, response: Response) -> Rules:
        if response.status >= 500 or response.status == 429:
            return self._unreachable(Refused(ROBOTS_UNREACHABLE, f"{response.url} answered {response.status}"))
        until = self._job.clock.now() + timedelta(hours=self._job.manners.robots_hours)
        if not 200 <= response.status < 300:
            return Rules(until, Protego.parse(""))
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        try:
            body = decoded(response.body, encodings, MOST_BYTES, cut=True)
        except CorruptBody as error:
            return self._unreachable(Refused(ROBOTS_UNREACHABLE, f"{response.url}: {error}"))
        parser = Protego.parse(body[:MOST_BYTES].decode("utf-8", "ignore"))
        return Rules(until, parser, delay=min(parser.crawl_delay(TOKEN) or 0.0, self._job.manners.max_crawl_delay))

    def _unreachable(self, refused: Refused) -> Rules:
        self._job.counters.count("robots", "unreachable")
        return Rules(self._job.clock.now() + UNREACHABLE_FOR, refused)

    def _slow_down(self, host: str, rules: Rules) -> None:
        """Give the host's slot the pause that its site asks for; slots come and go, so a new one needs it too."""
        downloader = self._crawler.engine.downloader
        delay = max(rules.delay, self._job.manners.delay)
        downloader.per_slot_settings[host] = {"delay": delay}
        if slot := downloader.slots.get(host):
            slot.delay = delay

    def _forget_old(self) -> None:
        if len(self._known) > _MANY:
            now = self._job.clock.now()
            self._known = {site: rules for site, rules in self._known.items() if now < rules.until}
