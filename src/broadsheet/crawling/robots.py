"""robots.txt, read as RFC 9309 says: what a site does not want fetched is not, and no faster than it wants."""

import asyncio
import re
from codecs import BOM_UTF8
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast
from urllib.parse import urlsplit

import scrapy
from protego import Protego
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.python.failure import Failure

from broadsheet.base import events, statuses
from broadsheet.base.reasons import ADDRESS, ROBOTS, ROBOTS_UNREACHABLE, answered
from broadsheet.crawling.encodings import CorruptBody, decoded
from broadsheet.crawling.errand import Errand, carrying, errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.fetch_messages import Request
from broadsheet.crawling.identity import TOKEN
from broadsheet.crawling.redirects import next_hop
from broadsheet.crawling.refusals import RequestRefused
from broadsheet.crawling.spider import host_of, job_of, site_of

#: What is read of a robots.txt; the rest is as if it were not there.
MOST_BYTES = 512_000
#: How many rules of one are kept, in the order in which they stand there; real ones have some hundred.
MOST_RULES = 5_000
MOST_REDIRECTS = 5
#: How long a site is left alone whose robots.txt could not be had.
UNREACHABLE_FOR = timedelta(minutes=10)
#: Beyond this weight of all rules together, those that were not asked for longest are forgotten. A rule takes
#: about half a kilobyte, and a site without any as much as some rules.
MOST_WEIGHT = 100_000
_OWN_WEIGHT = 20
_RULE = re.compile(r"\s*(?:dis)?allow\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """What one site says, or why nothing of it may be fetched, and until when that is believed."""

    until: datetime
    says: Protego | RequestRefused
    delay: float = 0.0
    weight: int = _OWN_WEIGHT


class RobotsMiddleware:
    """Asks each site's robots.txt before its first page, in the same queue as the page, and again when it is old."""

    def __init__(self, crawler: Crawler, job: FetchJob) -> None:
        """Begin knowing no site."""
        self._crawler = crawler
        self._job = job
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._weight = 0
        self._asked: dict[str, asyncio.Future[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        """Make the middleware of a crawler."""
        made = cls(crawler, job_of(crawler))
        crawler.signals.connect(made.cut, signals.bytes_received)
        return made

    def cut(self, data: bytes, request: scrapy.Request) -> None:
        """Stop reading a robots.txt when all that counts of it has come."""
        errand = errand_of(request)
        if errand.is_robots:
            errand.received += len(data)
            if errand.received >= MOST_BYTES:
                raise StopDownload(fail=False)

    async def process_request(self, request: scrapy.Request) -> None:
        """Let a request pass if its site lets it."""
        if not self._job.manners.robots or errand_of(request).is_robots:
            return
        rules = await self._rules(request)
        self._slow_down(host_of(request), rules)
        if isinstance(rules.says, RequestRefused):
            raise RequestRefused(rules.says.reason, rules.says.detail)
        if not rules.says.can_fetch(request.url, TOKEN):
            raise RequestRefused(ROBOTS, f"the site's robots.txt does not want {request.url} fetched")

    async def _rules(self, request: scrapy.Request) -> Rules:
        parts = urlparse_cached(request)
        site = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        known = self._known.get(site)
        if known is not None and self._job.clock.now() < known.until:
            self._known.move_to_end(site)
            return known
        if site not in self._asked:
            self._asked[site] = asyncio.ensure_future(self._ask(site, errand_of(request).source))
            self._asked[site].add_done_callback(lambda _: self._asked.pop(site))
        # One waiting page that is cancelled must not take the answer from the others.
        return await asyncio.shield(self._asked[site])

    async def _ask(self, site: str, source: str) -> Rules:
        url = f"{site}/robots.txt"
        request = scrapy.Request(url)
        errand = Errand(Request(url, source=source), MOST_REDIRECTS, is_robots=True, home=site_of(request))
        carrying(request, errand)
        request.meta["download_timeout"] = self._job.manners.timeout
        # What counts of it is cut off while it comes, so however long it is, it is not too long.
        request.meta["download_maxsize"] = 0
        try:
            rules = self._read(await self._fetched(request))
        except Exception as error:  # noqa: BLE001 - whatever it is: the rules of the site are not known
            refused = self._job.refusal(host_of(request), error)
            if refused.reason != ADDRESS:
                refused = RequestRefused(ROBOTS_UNREACHABLE, f"{url} could not be had: {refused.detail}")
            rules = self._unreachable(refused)
        self._keep(site, rules)
        return rules

    async def _fetched(self, request: scrapy.Request) -> Response:
        """Return the answer after all redirects; on another site a hop waits for its turn like any other guest."""
        while True:
            errand_of(request).received = 0
            if site_of(request) == errand_of(request).home:
                response = await self._crawler.engine.download_async(request)
            else:
                response = await self._queued(request)
            hop = next_hop(request, response)
            if hop is None:
                return response
            request = hop

    def _queued(self, request: scrapy.Request) -> asyncio.Future[Response]:
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

        def fail(failure: Failure) -> None:
            answer.set_exception(cast("Exception", failure.value))

        self._crawler.engine.crawl(request.replace(callback=answer.set_result, errback=fail))
        return answer

    def _keep(self, site: str, rules: Rules) -> None:
        """Remember what a site says, and forget what was not asked for longest where that is too much."""
        self._forget(site)
        self._known[site] = rules
        self._weight += rules.weight
        while self._weight > MOST_WEIGHT:
            self._forget(next(iter(self._known)))

    def _forget(self, site: str) -> None:
        known = self._known.pop(site, None)
        if known is not None:
            self._weight -= known.weight
            self._crawler.engine.downloader.per_slot_settings.pop(urlsplit(site).hostname or "", None)

    def _read(self, response: Response) -> Rules:
        if response.status in statuses.SERVER_ERRORS or response.status == statuses.TOO_MANY_REQUESTS:
            return self._unreachable(RequestRefused(ROBOTS_UNREACHABLE, f"{response.url} {answered(response.status)}"))
        until = self._job.clock.now() + timedelta(hours=self._job.manners.robots_hours)
        if response.status not in statuses.SUCCESS:
            return Rules(until, Protego.parse(""))
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        try:
            body = decoded(response.body, encodings, MOST_BYTES, cut=True)
        except CorruptBody as error:
            return self._unreachable(RequestRefused(ROBOTS_UNREACHABLE, f"{response.url}: {error}"))
        # Some editors put a byte order mark before the first line, which is then no line that anybody knows.
        text = body[:MOST_BYTES].removeprefix(BOM_UTF8).decode("utf-8", "ignore")
        kept, rules = _beginning(text)
        if kept != text or len(body) >= MOST_BYTES:
            self._job.counters.count(events.ROBOTS_FILES, events.CUT)
        parser = Protego.parse(kept)
        delay = min(parser.crawl_delay(TOKEN) or 0.0, self._job.manners.max_crawl_delay)
        return Rules(until, parser, delay, _OWN_WEIGHT + rules)

    def _unreachable(self, refused: RequestRefused) -> Rules:
        self._job.counters.count(events.ROBOTS_FILES, events.UNREACHABLE)
        return Rules(self._job.clock.now() + UNREACHABLE_FOR, refused)

    def _slow_down(self, host: str, rules: Rules) -> None:
        """Give the host's slot the pause that its site asks for; slots come and go, so a new one needs it too."""
        downloader = self._crawler.engine.downloader
        delay = max(rules.delay, self._job.manners.delay)
        if delay > self._job.manners.delay:
            downloader.per_slot_settings[host] = {"delay": delay}
        else:
            downloader.per_slot_settings.pop(host, None)
        if slot := downloader.slots.get(host):
            slot.delay = delay


def _beginning(text: str) -> tuple[str, int]:
    """Return a robots.txt up to the last rule that is kept, and how many rules that are."""
    lines, rules = text.splitlines(), 0
    for number, line in enumerate(lines):
        if _RULE.match(line):
            if rules == MOST_RULES:
                return "\n".join(lines[:number]), rules
            rules += 1
    return text, rules
