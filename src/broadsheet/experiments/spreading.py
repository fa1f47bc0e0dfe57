"""The same work on many items, in as many processes as there are cores."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from broadsheet.base.errors import BroadsheetError

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

#: So many items wait for each process: enough to keep it busy, few enough that no corpus is held in memory.
_WAITING_EACH = 4


def spread(work: Callable[[Item], Outcome], items: Iterable[Item], workers: int) -> Iterator[Outcome]:
    """Give the outcomes as they come, in any order; one worker means this process.

    `work` is a function that a spawned process can import.
    """
    if workers <= 1:
        yield from map(work, items)
        return
    source = iter(items)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        waiting: set[Future[Outcome]] = set()
        try:
            while True:
                room = workers * _WAITING_EACH - len(waiting)
                waiting |= {pool.submit(work, item) for item in islice(source, room)}
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool as error:
            raise BroadsheetError("a process that was measuring pages died; the same command goes on") from error
        finally:
            for future in waiting:
                future.cancel()
