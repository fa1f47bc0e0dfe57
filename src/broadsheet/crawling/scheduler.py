"""Which request goes next: hosts take turns, and none has more under way than it may."""

from collections import Counter, deque
from heapq import heappop, heappush
from itertools import count
from typing import Self

import scrapy
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler

from broadsheet.crawling.errand import WAIT, errand_of
from broadsheet.crawling.job import Job
from broadsheet.crawling.spider import host_of, job_of


class Scheduler(BaseScheduler):
    """A queue for each host, so that one with many requests, or slow answers, never holds up the others.

    Within a host what has begun goes first (a redirect, another try), then the higher priority, then what came
    first. Nothing is filtered: whoever asks twice gets two answers.
    """

    def __init__(self, crawler: Crawler, job: Job) -> None:
        """Begin with nothing queued."""
        self._crawler = crawler
        self._job = job
        self._queues: dict[str, list[tuple[bool, int, int, scrapy.Request]]] = {}
        self._turns: deque[str] = deque()
        self._order = count()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the scheduler of a crawler."""
        return cls(crawler, job_of(crawler))

    def has_pending_requests(self) -> bool:
        """Say whether anything could go now or once its host is free; what waits for its time does not count."""
        return bool(self._turns)

    def enqueue_request(self, request: scrapy.Request) -> bool:
        """Take a request; while the crawl is finishing only what has begun already."""
        has_begun = errand_of(request).has_begun
        if self._job.is_finishing and not has_begun:
            self._job.counters.count("dropped", "stopped")
            return False
        if seconds := request.meta.pop(WAIT, 0.0):
            self._job.waiting.put(request, seconds, self._crawler.engine.crawl)
            return True
        host = host_of(request)
        if host not in self._queues:
            self._queues[host] = []
            self._turns.append(host)
        heappush(self._queues[host], (not has_begun, -request.priority, next(self._order), request))
        return True

    def next_request(self) -> scrapy.Request | None:
        """Return the first request of the next host that has fewer under way than it may."""
        if self._job.is_finishing:
            self._drop()
        if not self._turns:
            return None
        under_way = Counter(map(host_of, self._crawler.engine.downloader.active))
        for _ in range(len(self._turns)):
            host = self._turns[0]
            self._turns.rotate(-1)
            if under_way[host] < self._job.manners.per_host:
                return self._pop(host)
        return None

    def _pop(self, host: str) -> scrapy.Request:
        """Return the first request of the host that stands last in turn."""
        queue = self._queues[host]
        request = heappop(queue)[3]
        if not queue:
            del self._queues[host]
            self._turns.pop()
        return request

    def _drop(self) -> None:
        """Keep only what has begun."""
        for host in tuple(self._turns):
            kept = [entry for entry in self._queues[host] if not entry[0]]
            if dropped := len(self._queues[host]) - len(kept):
                self._job.counters.count("dropped", "stopped", by=dropped)
            if kept:
                self._queues[host] = kept
            else:
                del self._queues[host]
                self._turns.remove(host)
