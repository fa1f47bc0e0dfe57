"""Obey robots.txt (RFC 9309), including `Crawl-delay`."""

import asyncio
import re
from codecs import BOM_UTF8
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
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

from broadsheet.base import counter_names, statuses, urls
from broadsheet.base.reasons import ADDRESS, CERTIFICATE, NAME, ROBOTS, ROBOTS_UNREACHABLE, Reason, answered
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._fetch_state import FetchState, attach_state, state_of
from broadsheet.crawling._identity import TOKEN
from broadsheet.crawling._redirects import next_hop
from broadsheet.crawling._refusals import RequestRefused
from broadsheet.crawling._spider import host_of, job_of, site_of
from broadsheet.crawling.encodings import CorruptBody, decode_body
from broadsheet.crawling.fetch_messages import Request

#: How many bytes of a robots.txt are read; the rest is ignored.
MAX_BYTES = 512_000
#: How many rules of a robots.txt are kept, the first ones; real files have some hundred.
MAX_RULES = 5_000
#: How many sitemaps of a robots.txt are kept, the first ones.
MAX_SITEMAPS = 20
MAX_REDIRECTS = 5
#: How long a site is left alone if its robots.txt could not be fetched.
UNREACHABLE_FOR = timedelta(minutes=10)
#: The capacity of the cache, in rules; beyond it, the least recently used site is evicted. A rule takes about half a
#: kilobyte, and the entry of a site itself as much as some rules.
MAX_WEIGHT = 100_000
_SITE_WEIGHT = 20
#: Why nothing can be fetched from a host, its robots.txt included; each has advice of its own.
_OF_THE_HOST = frozenset[Reason]((ADDRESS, CERTIFICATE, NAME))
_RULE = re.compile(r"\s*(?:dis)?allow\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one site, or why nothing on it may be fetched, and when they expire."""

    expires: datetime
    policy: Protego | RequestRefused
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    weight: int = _SITE_WEIGHT


class RobotsMiddleware:
    """Fetch each site's robots.txt before its first page, in the same queue as the page, and again when it expires."""

    def __init__(self, crawler: Crawler, job: FetchJob) -> None:
        """Start with an empty cache."""
        self._crawler = crawler
        self._job = job
        self._cache: OrderedDict[str, Rules] = OrderedDict()
        self._weight = 0
        self._pending: dict[str, asyncio.Future[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        """Create the middleware for a crawler."""
        middleware = cls(crawler, job_of(crawler))
        crawler.signals.connect(middleware.truncate, signals.bytes_received)
        return middleware

    def truncate(self, data: bytes, request: scrapy.Request) -> None:
        """Stop the download of a robots.txt at `MAX_BYTES`."""
        state = state_of(request)
        if state.is_robots:
            state.received += len(data)
            if state.received >= MAX_BYTES:
                raise StopDownload(fail=False)

    async def process_request(self, request: scrapy.Request) -> None:
        """Refuse a request that its site's robots.txt disallows."""
        if not self._job.manners.robots or state_of(request).is_robots:
            return
        rules = await self._rules(request)
        self._apply_delay(host_of(request), rules)
        if isinstance(rules.policy, RequestRefused):
            raise RequestRefused(rules.policy.reason, rules.policy.detail)
        if len(state_of(request).visited) <= 1:
            state_of(request).sitemaps = rules.sitemaps
        if not rules.policy.can_fetch(request.url, TOKEN):
            raise RequestRefused(ROBOTS, f"robots.txt of the site disallows {request.url}")

    async def _rules(self, request: scrapy.Request) -> Rules:
        parts = urlparse_cached(request)
        site = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        cached = self._cache.get(site)
        if cached is not None and self._job.clock.now() < cached.expires:
            self._cache.move_to_end(site)
            return cached
        if site not in self._pending:
            state = state_of(request)
            wanted = Request(f"{site}/robots.txt", source=state.source, verify_tls=state.verifies(host_of(request)))
            self._pending[site] = asyncio.ensure_future(self._fetch_rules(site, wanted))
            self._pending[site].add_done_callback(lambda _: self._pending.pop(site))
        # Several pages may wait for the same file: cancelling one must not cancel the others.
        return await asyncio.shield(self._pending[site])

    async def _fetch_rules(self, site: str, wanted: Request) -> Rules:
        url = wanted.url
        request = scrapy.Request(url)
        state = FetchState(wanted, MAX_REDIRECTS, is_robots=True, home=site_of(request))
        attach_state(request, state)
        request.meta["download_timeout"] = self._job.manners.timeout
        # `truncate` cuts the file while it arrives, so it is never too large.
        request.meta["download_maxsize"] = 0
        try:
            rules = self._parse(await self._download(request))
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the rules are unknown
            refused = self._job.refusal(host_of(request), error)
            if refused.reason not in _OF_THE_HOST:
                refused = RequestRefused(ROBOTS_UNREACHABLE, f"{url} could not be fetched: {refused.detail}")
            rules = self._unreachable(refused)
        self._store(site, rules)
        return rules

    async def _download(self, request: scrapy.Request) -> Response:
        """Return the response after redirects; a hop to another site is queued there as a guest."""
        while True:
            state_of(request).received = 0
            try:
                if site_of(request) == state_of(request).home:
                    response = await self._crawler.engine.download_async(request)
                else:
                    response = await self._enqueue(request)
            except Exception as error:
                raise self._job.refusal(host_of(request), error) from error
            hop = next_hop(request, response)
            if hop is None:
                return response
            request = hop

    def _enqueue(self, request: scrapy.Request) -> asyncio.Future[Response]:
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

        def fail(failure: Failure) -> None:
            answer.set_exception(cast("Exception", failure.value))

        self._crawler.engine.crawl(request.replace(callback=answer.set_result, errback=fail))
        return answer

    def _store(self, site: str, rules: Rules) -> None:
        """Cache the rules of a site, and evict the least recently used ones if the cache is full."""
        self._evict(site)
        self._cache[site] = rules
        self._weight += rules.weight
        while self._weight > MAX_WEIGHT:
            self._evict(next(iter(self._cache)))

    def _evict(self, site: str) -> None:
        evicted = self._cache.pop(site, None)
        if evicted is not None:
            self._weight -= evicted.weight
            self._crawler.engine.downloader.per_slot_settings.pop(urlsplit(site).hostname or "", None)

    def _parse(self, response: Response) -> Rules:
        if response.status in statuses.SERVER_ERRORS or response.status == statuses.TOO_MANY_REQUESTS:
            return self._unreachable(RequestRefused(ROBOTS_UNREACHABLE, f"{response.url} {answered(response.status)}"))
        expires = self._job.clock.now() + timedelta(hours=self._job.manners.robots_hours)
        if response.status not in statuses.SUCCESS:
            return Rules(expires, Protego.parse(""))
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        try:
            body = decode_body(response.body, encodings, MAX_BYTES, truncate=True)
        except CorruptBody as error:
            return self._unreachable(RequestRefused(ROBOTS_UNREACHABLE, f"{response.url}: {error}"))
        # A byte order mark, as some editors write it, would invalidate the first line.
        text = body[:MAX_BYTES].removeprefix(BOM_UTF8).decode("utf-8", "ignore")
        capped, rules = _first_rules(text)
        if capped != text or len(body) >= MAX_BYTES:
            self._job.counters.count(counter_names.ROBOTS_FILES, counter_names.CUT)
        parser = Protego.parse(capped)
        delay = min(parser.crawl_delay(TOKEN) or 0.0, self._job.manners.max_crawl_delay)
        return Rules(expires, parser, delay, _first_sitemaps(parser), _SITE_WEIGHT + rules)

    def _unreachable(self, refused: RequestRefused) -> Rules:
        self._job.counters.count(counter_names.ROBOTS_FILES, counter_names.UNREACHABLE)
        return Rules(self._job.clock.now() + UNREACHABLE_FOR, refused)

    def _apply_delay(self, host: str, rules: Rules) -> None:
        """Set the crawl delay of a site on the slot of its host, and for slots created later."""
        downloader = self._crawler.engine.downloader
        delay = max(rules.delay, self._job.manners.delay)
        if delay > self._job.manners.delay:
            downloader.per_slot_settings[host] = {"delay": delay}
        else:
            downloader.per_slot_settings.pop(host, None)
        if slot := downloader.slots.get(host):
            slot.delay = delay


def _first_sitemaps(parser: Protego) -> tuple[str, ...]:
    """Return the sitemaps that a robots.txt names, the first ones."""
    named = (str(url) for url in parser.sitemaps if len(url) <= urls.MAX_LENGTH)
    return tuple(islice(dict.fromkeys(named), MAX_SITEMAPS))


def _first_rules(text: str) -> tuple[str, int]:
    """Return a robots.txt up to its last allowed rule, and the number of its rules."""
    lines, rules = text.splitlines(), 0
    for number, line in enumerate(lines):
        if _RULE.match(line):
            if rules == MAX_RULES:
                return "\n".join(lines[:number]), rules
            rules += 1
    return text, rules
