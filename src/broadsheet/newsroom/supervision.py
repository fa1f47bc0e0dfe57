"""The work on pages in a process of its own, which is watched: a page that takes too much costs that page alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base.clock import SystemClock
from broadsheet.base.pool import Failed, Pool, SingleWorker
from broadsheet.base.workers import Prepare
from broadsheet.newsroom.arrival import Answer, Arrival, PageWorker, Stumble

#: Seconds and bytes of data that the work on one page may take: far more than any page within the caps was ever seen
#: to take, also where other programs use the cores.
MAX_SECONDS = 20.0
MAX_MEMORY = 1_500_000_000


class SupervisedReader:
    """Asks the process; one that has to be ended is replaced by another for the next page."""

    def __init__(self, worker: SingleWorker[Arrival, Answer]) -> None:
        """Take what stands for the process."""
        self._worker = worker

    def ask(self, arrival: Arrival) -> Answer:
        """Return what was found in a page, or why nothing was; this process waits meanwhile."""
        answer = self._worker.ask(arrival)
        return Stumble(answer.counted, answer.reason) if isinstance(answer, Failed) else answer


@contextmanager
def supervised(prepare: Prepare[Arrival, Answer], seconds: float = MAX_SECONDS) -> Iterator[PageWorker]:
    """Give a reader whose process starts with the first page and ends when the block is left."""
    # The machine's own clock: that of a crawl may run faster.
    worker = SingleWorker(Pool(prepare, 1, SystemClock(), seconds, MAX_MEMORY))
    try:
        yield SupervisedReader(worker)
    finally:
        worker.close()
