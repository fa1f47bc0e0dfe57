"""Which request goes next: sources take turns, then sites, then hosts, and none has more under way than it may."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Self

import scrapy
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler

from broadsheet.base import events
from broadsheet.base.reasons import DEADLINE, STOPPED
from broadsheet.crawling.errand import WAIT, errand_of
from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.spider import host_of, job_of, site_of
from broadsheet.crawling.turns import in_turn

#: Whether it has yet to begin, its priority, when it came, and the request.
Entry = tuple[bool, int, int, scrapy.Request]
Hosts = OrderedDict[str, list[Entry]]
Sites = OrderedDict[str, Hosts]


class Scheduler(BaseScheduler):
    """Queues by source, site and host, so that a source with many requests, or slow hosts, holds up only itself.

    On a host, of what one source asks, what has begun goes first (a redirect, another try), then the higher
    priority, then what came first. A request that was redirected to another site is a guest there: it goes when
    that site has no request of its own waiting, one guest at a time. Nothing is filtered: whoever asks twice gets
    two answers.
    """

    def __init__(self, crawler: Crawler, job: FetchJob) -> None:
        """Begin with nothing queued."""
        self._crawler = crawler
        self._job = job
        self._sources: OrderedDict[str, Sites] = OrderedDict()
        #: How many requests wait for each site that are no guests there.
        self._own: Counter[str] = Counter()
        self._order = count()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the scheduler of a crawler."""
        return cls(crawler, job_of(crawler))

    def has_pending_requests(self) -> bool:
        """Say whether anything could go now or once its host is free; what waits for its time does not count."""
        return bool(self._sources)

    def enqueue_request(self, request: scrapy.Request) -> bool:
        """Take a request; while the crawl is finishing only what has begun already."""
        errand = errand_of(request)
        if self._job.is_finishing and not errand.has_begun:
            self._job.counters.count(events.SKIPPED, STOPPED)
            return False
        if seconds := request.meta.pop(WAIT, 0.0):
            self._job.waiting.put(request, seconds, self._crawler.engine.crawl)
            return True
        site = site_of(request)
        hosts = self._sources.setdefault(errand.source, OrderedDict()).setdefault(site, OrderedDict())
        entry = (not errand.has_begun, -request.priority, next(self._order), request)
        heappush(hosts.setdefault(host_of(request), []), entry)
        if errand.home == site:
            self._own[site] += 1
        return True

    def next_request(self) -> scrapy.Request | None:
        """Return the next request of the first source in turn that may have another one under way."""
        if self._job.is_finishing:
            self._drop()
        under_way = UnderWay(self._crawler.engine.downloader.active)
        manners = self._job.manners
        if under_way.total >= manners.concurrency:
            return None
        # What others wait for is left to them, however much one source could use.
        sources = len(self._sources.keys() | under_way.sources.keys())
        share = max(1, min(max(manners.per_source, manners.per_host), manners.concurrency // max(1, sources)))
        for source, sites in in_turn(self._sources):
            if under_way.sources[source] >= share:
                continue
            for site, hosts in in_turn(sites):
                if request := self._of_site(source, site, hosts, under_way):
                    return request
        return None

    def _of_site(self, source: str, site: str, hosts: Hosts, under_way: "UnderWay") -> scrapy.Request | None:
        manners = self._job.manners
        for host, queue in in_turn(hosts):
            self._expire(source, site, host, queue)
            if not queue or under_way.hosts[host] >= manners.per_host:
                continue
            if errand_of(queue[0][3]).home != site:
                # Guests come last, so that a site is not slowed down by whoever redirects to it.
                if self._own[site] or under_way.guests[site]:
                    continue
            elif under_way.sites[site] >= max(manners.per_site, manners.per_host):
                return None
            return self._pop(source, site, host, queue)
        return None

    def _expire(self, source: str, site: str, host: str, queue: list[Entry]) -> None:
        """Drop the first requests of a queue while their time to begin is over."""
        while queue and queue[0][0] and self._job.is_late(errand_of(queue[0][3]).request):
            self._pop(source, site, host, queue)
            self._job.counters.count(events.SKIPPED, DEADLINE)

    def _pop(self, source: str, site: str, host: str, queue: list[Entry]) -> scrapy.Request:
        """Return the first request of a queue; a queue that is empty then has no turn."""
        request = heappop(queue)[3]
        if errand_of(request).home == site:
            self._own[site] -= 1
        if not self._own[site]:
            del self._own[site]
        if not queue:
            self._forget(source, site, host)
        return request

    def _forget(self, source: str, site: str, host: str) -> None:
        sites = self._sources[source]
        del sites[site][host]
        if not sites[site]:
            del sites[site]
        if not sites:
            del self._sources[source]

    def _drop(self) -> None:
        """Keep only what has begun."""
        queued = [entry for sites in self._sources.values() for hosts in sites.values() for entry in _all(hosts)]
        kept = [request for is_new, _, _, request in sorted(queued, key=lambda entry: entry[2]) if not is_new]
        if len(kept) == len(queued):
            return
        self._job.counters.count(events.SKIPPED, STOPPED, by=len(queued) - len(kept))
        self._sources.clear()
        self._own.clear()
        for request in kept:
            self.enqueue_request(request)


class UnderWay:
    """How many requests are under way; those for robots.txt belong to a page that waits for them and is counted."""

    def __init__(self, active: Iterable[scrapy.Request]) -> None:
        """Count the requests that the downloader has."""
        self.sources: Counter[str] = Counter()
        self.sites: Counter[str] = Counter()
        self.hosts: Counter[str] = Counter()
        self.guests: Counter[str] = Counter()
        self.total = 0
        for request in active:
            errand, site = errand_of(request), site_of(request)
            is_guest = errand.home != site
            if errand.is_robots and not is_guest:
                continue
            self.hosts[host_of(request)] += 1
            (self.guests if is_guest else self.sites)[site] += 1
            if not errand.is_robots:
                self.total += 1
                self.sources[errand.source] += 1


def _all(hosts: Hosts) -> Iterator[Entry]:
    for queue in hosts.values():
        yield from queue
