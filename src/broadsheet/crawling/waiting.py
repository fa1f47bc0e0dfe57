"""Requests whose time has not come, in the order of their times."""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

import scrapy


class Waiting:
    """Holds requests back for seconds of the running loop, with one timer for the first of them."""

    def __init__(self) -> None:
        """Begin with nothing waiting."""
        self._heap: list[tuple[float, int, int, scrapy.Request]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """Return how many requests wait."""
        return len(self._heap)

    def put(self, request: scrapy.Request, seconds: float, release: Callable[[scrapy.Request], None]) -> None:
        """Hold a request back; of those whose time comes together, higher priorities go first."""
        due = asyncio.get_running_loop().time() + seconds
        heappush(self._heap, (due, -request.priority, next(self._order), request))
        self._set_timer(release)

    def clear(self) -> int:
        """Let go of all that wait and return how many they were."""
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
        # The loop calls a timer up to its resolution early; what is first is due whatever the clock says.
        now = max(asyncio.get_running_loop().time(), self._heap[0][0])
        while self._heap and self._heap[0][0] <= now:
            release(heappop(self._heap)[3])
        self._set_timer(release)
