"""Requests that are not due yet, ordered by their time."""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

import scrapy


class DelayedRequests:
    """Delay requests in the time of the running loop, with a single timer for the first one due."""

    def __init__(self) -> None:
        """Start with no requests."""
        self._heap: list[tuple[float, int, int, scrapy.Request]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """Return how many requests are waiting."""
        return len(self._heap)

    def put(self, request: scrapy.Request, seconds: float, release: Callable[[scrapy.Request], None]) -> None:
        """Delay a request; among requests due at the same time, higher priorities go first."""
        due = asyncio.get_running_loop().time() + seconds
        heappush(self._heap, (due, -request.priority, next(self._order), request))
        self._set_timer(release)

    def clear(self) -> int:
        """Drop all requests and return their number."""
        dropped = len(self._heap)
        self._heap.clear()
        self._cancel()
        return dropped

    def _set_timer(self, release: Callable[[scrapy.Request], None]) -> None:
        self._cancel()
        if self._heap:
            self._timer = asyncio.get_running_loop().call_at(self._heap[0][0], self._release_due, release)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _release_due(self, release: Callable[[scrapy.Request], None]) -> None:
        # The loop may fire a timer early, by up to its clock resolution; the first request is due in any case.
        now = max(asyncio.get_running_loop().time(), self._heap[0][0])
        while self._heap and self._heap[0][0] <= now:
            release(heappop(self._heap)[3])
        self._set_timer(release)
