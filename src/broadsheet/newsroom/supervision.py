"""The filters in processes of their own, which are watched: a page that takes too much costs that page alone."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from broadsheet.base.clock import SystemClock
from broadsheet.base.pool import Failed, Pool, cores
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
