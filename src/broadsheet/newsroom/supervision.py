"""The filters in processes of their own, which are watched: a page that takes too much costs that page alone."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from broadsheet.archive import VisitReason
from broadsheet.base.clock import SystemClock
from broadsheet.base.pool import Pool, cores
from broadsheet.base.submission import PoolThread
from broadsheet.base.task_events import Failed
from broadsheet.newsroom.line import FilterLine, FilterSettings, build_line
from broadsheet.newsroom.page_visit import Breakdown, FetchedVisit, FilterResult

#: How often a page is given to a process before it is put aside: the first may have died of something else.
TRIES = 2


@dataclass(frozen=True, slots=True)
class LineWork:
    """Builds the line of filters in each process."""

    settings: FilterSettings

    def __call__(self) -> Callable[[FetchedVisit], Iterable[FilterResult]]:
        """Return what a process does with a page."""
        line = build_line(self.settings)
        return lambda fetched: (line.apply(fetched),)


class LocalReaders:
    """Applies the filters in this process."""

    def __init__(self, line: FilterLine) -> None:
        """Take the line."""
        self._line = line

    async def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        return self._line.apply(fetched)

    def apply_now(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        return self._line.apply(fetched)


class SupervisedReaders:
    """Applies the filters in other processes; one that dies or hangs is replaced, and its page tried once more."""

    def __init__(self, pool: PoolThread[FetchedVisit, FilterResult]) -> None:
        """Take the processes."""
        self._pool = pool

    async def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page; others can be fetched and read meanwhile."""
        return _result(await asyncio.wrap_future(self._pool.submit(fetched)))

    def begin(self, now: datetime) -> None:
        """Start the processes, and wait until one of them has read an empty page."""
        self.apply_now(
            FetchedVisit(b"<!DOCTYPE html>", "http://empty.example/", "text/html", now, VisitReason.CANDIDATE)
        )

    def apply_now(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page, and wait for it."""
        return _result(self._pool.submit(fetched).result())


@contextmanager
def supervised(settings: FilterSettings, workers: int | None = None) -> Iterator[SupervisedReaders]:
    """Give readers whose processes start with the first page and end when the block is left."""
    with PoolThread(filter_pool(settings, workers)) as processes:
        yield SupervisedReaders(processes)


def filter_pool(settings: FilterSettings, workers: int | None = None) -> Pool[FetchedVisit, FilterResult]:
    """Return the pool of processes that apply the filters, as many as the settings say if not told otherwise."""
    # An unknown filter should fail here, not in every process.
    build_line(settings)
    own = settings.newsroom
    return Pool(
        LineWork(settings),
        workers or own.workers or cores(),
        # The machine's own clock: that of a crawl may run faster.
        SystemClock(),
        own.page_seconds,
        own.page_memory,
        renew_after=own.renew_after,
        tries=TRIES,
    )


def _result(answer: FilterResult | Failed) -> FilterResult:
    return Breakdown(answer.counted, answer.reason) if isinstance(answer, Failed) else answer
