"""Tasks spread over supervised processes: one that dies, or takes too long or too much, costs one task."""

import math
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from multiprocessing.connection import wait
from typing import Generic, TypeAlias, TypeVar

from broadsheet.base import reasons
from broadsheet.base.clock import Clock
from broadsheet.base.errors import WorkerFailed
from broadsheet.base.reasons import Reason
from broadsheet.base.workers import OutOfMemory, Prepare, Raised, Worker, WorkerMessage

Task = TypeVar("Task")
Message = TypeVar("Message")

#: Tasks that may be ahead of the one whose turn it is, for each process, where order is kept.
AHEAD = 8

#: Seconds between two looks at the clock.
_LOOK = 0.5


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Told(Generic[Task, Message]):
    """What the work says of a task, and the task's number."""

    number: int
    task: Task
    message: Message


@dataclass(frozen=True, slots=True)
class Lost(Generic[Task, Message]):
    """A task that was not done: what was said of it before, and why there is no more.

    Its process died, took too much and was replaced, or raised an error, whose trace is then given.
    """

    number: int
    task: Task
    heard: tuple[Message, ...]
    reason: str
    #: The same to count by.
    counted: Reason
    trace: str = ""


Event: TypeAlias = Told[Task, Message] | Lost[Task, Message]


@dataclass(frozen=True, slots=True)
class Failed:
    """What stands in the place of a lost task's message: why there is none, as a line and to count by."""

    reason: str
    counted: Reason


@dataclass(frozen=True, slots=True)
class Pool(Generic[Task, Message]):
    """A few processes that do the same work."""

    #: Makes the work in each process.
    prepare: Prepare[Task, Message]
    size: int
    clock: Clock
    #: Seconds that a process may say nothing while it works on a task.
    limit: float = 60.0
    #: Bytes of data that a process may hold; None for as many as there are.
    max_memory: int | None = None
    #: Tasks that each process is given beside the one it works on, so that it need not wait for the next.
    waiting: int = 0

    def run(self, tasks: Iterable[Task]) -> "Run[Task, Message]":
        """Begin with tasks, which are taken one by one as processes are free."""
        return Run(self, tasks)

    def ordered(self, tasks: Iterable[Task]) -> Generator[Message | Failed]:
        """Give what the work says of each task, which is one thing, in the order of the tasks."""
        run, ahead = Run(self, tasks), AHEAD * self.size
        # Not the events: they hold their tasks, which may be large.
        early: dict[int, Message | Failed] = {}
        turn, run.allowed = 0, ahead
        for event in run:
            early[event.number] = event.message if isinstance(event, Told) else Failed(event.reason, event.counted)
            while turn in early:
                yield early.pop(turn)
                turn += 1
            run.allowed = turn + ahead


class Run(Generic[Task, Message]):
    """Some tasks on their way through a pool; iterating gives events in the order in which they come."""

    def __init__(self, pool: Pool[Task, Message], tasks: Iterable[Task]) -> None:
        """Take the tasks; processes start with the iteration and end with it."""
        self._pool = pool
        self._source = enumerate(tasks)
        self._again = deque[tuple[int, Task]]()
        self._given = 0
        self._exhausted = False
        self._workers: list[Worker[Task, Message]] = []
        #: How many tasks may be taken in all; who keeps events back for others to come first raises it bit by bit.
        self.allowed: float = math.inf

    def again(self, number: int, task: Task) -> None:
        """Do a task beside the others, such as what is left of one that was lost."""
        self._again.append((number, task))

    def __iter__(self) -> Iterator[Event[Task, Message]]:
        """Give events until all tasks are done."""
        self._workers = [self._start() for _ in range(self._pool.size)]
        try:
            while busy := self._busy():
                heard = wait([worker.connection for worker in busy], timeout=_LOOK)
                for worker in busy:
                    if worker.connection in heard:
                        yield from self._hear(worker)
                    elif worker.tasks and self._now() - worker.since > self._pool.limit:
                        yield from self._lose(worker, f"took more than {self._pool.limit:g} s", reasons.TOO_SLOW)
        finally:
            for worker in self._workers:
                worker.stop()

    def _busy(self) -> list[Worker[Task, Message]]:
        """Give tasks to all processes that lack some, and return those to listen to; none when all is done."""
        for enough in range(1, self._pool.waiting + 2):
            # Nobody is given a second task while another has none.
            for worker in self._workers:
                if worker.ready and len(worker.tasks) < enough and (found := self._next()):
                    worker.give(*found, self._now())
        working = [worker for worker in self._workers if worker.tasks]
        if self._exhausted and not self._again and not working:
            return []
        return [*working, *(worker for worker in self._workers if not worker.ready)]

    def _next(self) -> tuple[int, Task] | None:
        if self._again:
            return self._again.popleft()
        if self._given >= self.allowed:
            return None
        found = next(self._source, None)
        self._given += 1
        self._exhausted = found is None
        return found

    def _hear(self, worker: Worker[Task, Message]) -> Iterator[Event[Task, Message]]:
        answer = worker.listen()
        worker.since = self._now()
        if answer is None:
            yield from self._lose(worker, "the process died", reasons.CRASHED)
        elif isinstance(answer, OutOfMemory):
            most = f"{(self._pool.max_memory or 0) / 1e6:,.0f} MB"
            yield from self._lose(worker, f"took more than {most} of memory", reasons.TOO_MUCH_MEMORY)
        elif isinstance(answer, Raised):
            lost = Lost(*worker.tasks[0], tuple(worker.heard), answer.reason, reasons.UNEXPECTED, answer.trace)
            worker.finish(self._now())
            yield lost
        elif isinstance(answer, WorkerMessage):
            worker.heard.append(answer.message)
            yield Told(*worker.tasks[0], answer.message)
        elif worker.ready:
            worker.finish(self._now())
        else:
            worker.ready = True

    def _lose(self, worker: Worker[Task, Message], reason: str, counted: Reason) -> Iterator[Event[Task, Message]]:
        """Replace a process; the task in progress is lost, and the tasks that it has not started go to others."""
        if not worker.ready:
            raise WorkerFailed("a worker process ended before it began its first task")
        worker.stop()
        self._workers[self._workers.index(worker)] = self._start()
        if worker.tasks:
            lost = worker.tasks.popleft()
            self._again.extend(worker.tasks)
            yield Lost(*lost, tuple(worker.heard), reason, counted)

    def _start(self) -> Worker[Task, Message]:
        return Worker.start(self._pool.prepare, self._pool.max_memory)

    def _now(self) -> float:
        return self._pool.clock.monotonic()


class Attendant(Generic[Task, Message]):
    """A pool of one process that is asked one thing after the other, each time for one answer."""

    def __init__(self, pool: Pool[Task, Message]) -> None:
        """Take the pool; its process starts with the first question."""
        self._asked = deque[Task]()
        # A pool takes a task when a process is free, and here that is when something was asked.
        self._answers = pool.ordered(self._asked.popleft() for _ in repeat(None))

    def ask(self, task: Task) -> Message | Failed:
        """Return what the work says of a task, or why it was given up; then another process answers the next."""
        self._asked.append(task)
        return next(self._answers)

    def close(self) -> None:
        """End the process."""
        self._answers.close()
