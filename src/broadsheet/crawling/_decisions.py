"""The outcomes that wait for an asynchronous `decide`, and how much memory they take."""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request

#: Bytes of pages, both as received and decoded, that may wait for a decision before fetching pauses: one or two hundred
#: pages, which keeps the deciders busy while hosts are slow, and keeps memory small while the deciders are. Scrapy has
#: such a limit, but counts only what was received, of which a few kilobytes may unpack to many megabytes.
MAX_WAITING_BYTES = 32_000_000
#: What an outcome takes besides its bodies.
_OVERHEAD_BYTES = 1_000


class Decisions:
    """The decisions that are being awaited."""

    def __init__(self) -> None:
        """Start with none."""
        #: The tasks that await a decision.
        self.tasks: set[asyncio.Task[Any]] = set()
        self.bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether fetching should pause until some are decided."""
        return self.bytes > MAX_WAITING_BYTES

    async def wait(self, outcome: Outcome, decision: Awaitable[Iterable[Request]]) -> Iterable[Request]:
        """Return the decision on an outcome."""
        with self._counted(_size(outcome)):
            return await decision

    def forget(self) -> None:
        """Await nothing any more: the crawl is over."""
        self.tasks.clear()

    @contextmanager
    def _counted(self, size: int) -> Iterator[None]:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a decision is awaited outside of a task")
        self.tasks.add(task)
        self.bytes += size
        try:
            yield
        finally:
            self.tasks.discard(task)
            self.bytes -= size


def _size(outcome: Outcome) -> int:
    content = len(outcome.content) if isinstance(outcome, FetchAnswer) else 0
    return _OVERHEAD_BYTES + content + sum(len(exchange.body) for exchange in outcome.exchanges)
