"""A pool of supervised processes: one that dies, hangs or takes too much memory costs one task."""

import math
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from broadsheet.base._worker_group import PoolSettings, WorkerGroup
from broadsheet.base.task_events import Event, Failed, Lost, TaskMessage

__all__ = ["AHEAD", "Event", "Failed", "Lost", "Pool", "Run", "TaskMessage", "cores"]

Task = TypeVar("Task")
Message = TypeVar("Message")

#: How many tasks per process may run ahead of the next one to be returned in order.
AHEAD = 8


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Pool(PoolSettings[Task, Message]):
    """A few processes that do the same work."""

    def run(self, tasks: Iterable[Task]) -> "Run[Task, Message]":
        """Run tasks, which are drawn one by one as processes become free."""
        return Run(self, tasks)

    def ordered(self, tasks: Iterable[Task]) -> Generator[Message | Failed]:
        """Yield the one message of each task, in the order of the tasks."""
        run, ahead = Run(self, tasks), AHEAD * self.size
        # Messages instead of events, which would keep their tasks, possibly large, in memory.
        early: dict[int, Message | Failed] = {}
        turn, run.allowed = 0, ahead
        for event in run:
            if event.number >= turn:
                # A process that dies after its message has done its task.
                early.setdefault(event.number, event.answer)
            while turn in early:
                yield early.pop(turn)
                turn += 1
            run.allowed = turn + ahead


class Run(Generic[Task, Message]):
    """Tasks on their way through a pool; iterating yields events as they occur."""

    def __init__(self, pool: Pool[Task, Message], tasks: Iterable[Task]) -> None:
        """Prepare to run the tasks; processes start and end with the iteration."""
        self._pool = pool
        self._source = enumerate(tasks)
        self._resubmitted = deque[tuple[int, Task]]()
        self._given = 0
        self._exhausted = False
        #: How many tasks may be started in all; a caller that reorders events raises it step by step.
        self.allowed: float = math.inf

    def resubmit(self, number: int, task: Task) -> None:
        """Queue another task, such as the remainder of a lost one."""
        self._resubmitted.append((number, task))

    def __iter__(self) -> Iterator[Event[Task, Message]]:
        """Yield events until all tasks are done."""
        with WorkerGroup(self._pool) as workers:
            while True:
                yield from workers.assign(self._next)
                if self._exhausted and not self._resubmitted and not workers.has_tasks:
                    return
                yield from workers.listen()

    def _next(self) -> tuple[int, Task] | None:
        if self._resubmitted:
            return self._resubmitted.popleft()
        if self._given >= self.allowed:
            return None
        task = next(self._source, None)
        self._given += 1
        self._exhausted = task is None
        return task
