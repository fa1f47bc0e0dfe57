"""Choose the next request: sources take turns, then sites, then hosts, each within its concurrency limit."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Self

import scrapy
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler

from broadsheet.base import counter_names
from broadsheet.base.reasons import DEADLINE, STOPPED, WITHDRAWN, Reason
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._fetch_state import WAIT, state_of
from broadsheet.crawling._spider import host_of, job_of, site_of
from broadsheet.crawling._turns import round_robin
from broadsheet.crawling.fetch_messages import Request

#: Whether it has yet to begin, its negated priority, its sequence number, and the request.
Entry = tuple[bool, int, int, scrapy.Request]
Hosts = OrderedDict[str, list[Entry]]
Sites = OrderedDict[str, Hosts]


class Scheduler(BaseScheduler):
    """Queue requests by source, site and host, so that a source with many requests or slow hosts delays only itself.

    Among the requests of one source to one host, those that have begun (redirects and retries) go first, then higher
    priorities, then earlier requests. A request that was redirected to another site is a guest there: it goes when
    that site has no waiting requests of its own, one guest at a time. Duplicate requests are not filtered.
    """

    def __init__(self, crawler: Crawler, job: FetchJob) -> None:
        """Start with empty queues."""
        self._crawler = crawler
        self._job = job
        self._sources: OrderedDict[str, Sites] = OrderedDict()
        #: How many requests that are not guests wait for each site.
        self._native: Counter[str] = Counter()
        self._order = count()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the scheduler for a crawler."""
        return cls(crawler, job_of(crawler))

    def has_pending_requests(self) -> bool:
        """Return whether requests are queued; delayed ones do not count."""
        return bool(self._sources)

    def enqueue_request(self, request: scrapy.Request) -> bool:
        """Queue a request; while the crawl is finishing, only one that has already begun."""
        state = state_of(request)
        if self._job.is_finishing and not state.has_begun:
            self._job.counters.count(counter_names.SKIPPED, STOPPED)
            return False
        if seconds := request.meta.pop(WAIT, 0.0):
            self._job.delayed.put(request, seconds, self._crawler.engine.crawl)
            return True
        site = site_of(request)
        hosts = self._sources.setdefault(state.source, OrderedDict()).setdefault(site, OrderedDict())
        entry = (not state.has_begun, -request.priority, next(self._order), request)
        heappush(hosts.setdefault(host_of(request), []), entry)
        if state.home == site:
            self._native[site] += 1
        return True

    def next_request(self) -> scrapy.Request | None:
        """Return the next request, of the first source in turn that is below its limit."""
        if self._job.is_finishing:
            self._drop_new()
        if self._job.decisions.is_full:
            return None
        in_flight = InFlightCounts(self._crawler.engine.downloader.active)
        manners = self._job.manners
        if in_flight.total >= manners.concurrency:
            return None
        # A fair share, so that one source cannot take the slots that others wait for.
        sources = len(self._sources.keys() | in_flight.sources.keys())
        share = max(1, min(max(manners.per_source, manners.per_host), manners.concurrency // max(1, sources)))
        for source, sites in round_robin(self._sources):
            if in_flight.sources[source] >= share:
                continue
            for site, hosts in round_robin(sites):
                if request := self._next_of_site(source, site, hosts, in_flight):
                    return request
        return None

    def _next_of_site(self, source: str, site: str, hosts: Hosts, in_flight: "InFlightCounts") -> scrapy.Request | None:
        manners = self._job.manners
        for host, queue in round_robin(hosts):
            self._expire(source, site, host, queue)
            if not queue or in_flight.hosts[host] >= manners.per_host:
                continue
            if state_of(queue[0][3]).home != site:
                # Guests come last, so that redirects from elsewhere cannot slow a site down.
                if self._native[site] or in_flight.guests[site]:
                    continue
            elif in_flight.sites[site] >= max(manners.per_site, manners.per_host):
                return None
            return self._pop(source, site, host, queue)
        return None

    def _expire(self, source: str, site: str, host: str, queue: list[Entry]) -> None:
        """Drop requests from the head of a queue that are past their `not_after`, or no longer wanted."""
        while queue and queue[0][0] and (reason := self._reason_to_drop(state_of(queue[0][3]).request)):
            self._pop(source, site, host, queue)
            self._job.counters.count(counter_names.SKIPPED, reason)

    def _reason_to_drop(self, request: Request) -> Reason | None:
        if self._job.is_late(request):
            return DEADLINE
        return None if self._job.is_wanted(request) else WITHDRAWN

    def _pop(self, source: str, site: str, host: str, queue: list[Entry]) -> scrapy.Request:
        """Pop the first request of a queue, and remove the queue once it is empty."""
        request = heappop(queue)[3]
        if state_of(request).home == site:
            self._native[site] -= 1
        if not self._native[site]:
            del self._native[site]
        if not queue:
            self._remove_queue(source, site, host)
        return request

    def _remove_queue(self, source: str, site: str, host: str) -> None:
        sites = self._sources[source]
        del sites[site][host]
        if not sites[site]:
            del sites[site]
        if not sites:
            del self._sources[source]

    def _drop_new(self) -> None:
        """Drop all requests that have not begun."""
        queued = [entry for sites in self._sources.values() for hosts in sites.values() for entry in _entries(hosts)]
        begun = [request for is_new, _, _, request in sorted(queued, key=lambda entry: entry[2]) if not is_new]
        if len(begun) == len(queued):
            return
        self._job.counters.count(counter_names.SKIPPED, STOPPED, by=len(queued) - len(begun))
        self._sources.clear()
        self._native.clear()
        for request in begun:
            self.enqueue_request(request)


class InFlightCounts:
    """Counts of requests in flight; a robots.txt is not counted on its own site, since the page waiting for it is."""

    def __init__(self, active: Iterable[scrapy.Request]) -> None:
        """Count the active requests of the downloader."""
        self.sources: Counter[str] = Counter()
        self.sites: Counter[str] = Counter()
        self.hosts: Counter[str] = Counter()
        self.guests: Counter[str] = Counter()
        self.total = 0
        for request in active:
            state, site = state_of(request), site_of(request)
            is_guest = state.home != site
            if state.is_robots and not is_guest:
                continue
            self.hosts[host_of(request)] += 1
            (self.guests if is_guest else self.sites)[site] += 1
            if not state.is_robots:
                self.total += 1
                self.sources[state.source] += 1


def _entries(hosts: Hosts) -> Iterator[Entry]:
    for queue in hosts.values():
        yield from queue
