"""A pool of supervised processes: one that dies, hangs or takes too much memory costs one task."""

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

#: How many tasks per process may run ahead of the next one to be returned in order.
AHEAD = 8

#: Seconds between two checks of the clock.
_CHECK_SECONDS = 0.5


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class TaskMessage(Generic[Task, Message]):
    """A message of a task, with the task and its number."""

    number: int
    task: Task
    message: Message


@dataclass(frozen=True, slots=True)
class Lost(Generic[Task, Message]):
    """A task that failed: its messages until then, and the reason.

    Its process died, exceeded a limit and was replaced, or raised an error, whose traceback is `trace`.
    """

    number: int
    task: Task
    messages: tuple[Message, ...]
    reason: str
    #: The same to count by.
    counted: Reason
    trace: str = ""


Event: TypeAlias = TaskMessage[Task, Message] | Lost[Task, Message]


@dataclass(frozen=True, slots=True)
class Failed:
    """What stands in the place of a lost task's message: why there is none, as a line and to count by."""

    reason: str
    counted: Reason


@dataclass(frozen=True, slots=True)
class Pool(Generic[Task, Message]):
    """A few processes that do the same work."""

    #: Creates the work in each process.
    prepare: Prepare[Task, Message]
    size: int
    clock: Clock
    #: Seconds without a message after which a task is given up.
    limit: float = 60.0
    #: Bytes of memory that a process may use; None for no limit.
    max_memory: int | None = None
    #: Tasks that each process is given beside the one it works on, so that it need not wait for the next.
    waiting: int = 0

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
            early[event.number] = (
                event.message if isinstance(event, TaskMessage) else Failed(event.reason, event.counted)
            )
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
        self._workers: list[Worker[Task, Message]] = []
        #: How many tasks may be started in all; a caller that reorders events raises it step by step.
        self.allowed: float = math.inf

    def resubmit(self, number: int, task: Task) -> None:
        """Queue another task, such as the remainder of a lost one."""
        self._resubmitted.append((number, task))

    def __iter__(self) -> Iterator[Event[Task, Message]]:
        """Yield events until all tasks are done."""
        self._workers = [self._start() for _ in range(self._pool.size)]
        try:
            while busy := self._busy():
                readable = wait([worker.connection for worker in busy], timeout=_CHECK_SECONDS)
                for worker in busy:
                    if worker.connection in readable:
                        yield from self._receive(worker)
                    elif worker.tasks and self._now() - worker.since > self._pool.limit:
                        yield from self._lose(worker, f"took more than {self._pool.limit:g} s", reasons.TOO_SLOW)
        finally:
            for worker in self._workers:
                worker.stop()

    def _busy(self) -> list[Worker[Task, Message]]:
        """Assign tasks to workers with room for one, and return the workers to wait for; none when all is done."""
        for enough in range(1, self._pool.waiting + 2):
            # No worker gets a second task while another has none.
            for worker in self._workers:
                if worker.ready and len(worker.tasks) < enough and (numbered := self._next()):
                    worker.assign(*numbered, self._now())
        working = [worker for worker in self._workers if worker.tasks]
        if self._exhausted and not self._resubmitted and not working:
            return []
        return [*working, *(worker for worker in self._workers if not worker.ready)]

    def _next(self) -> tuple[int, Task] | None:
        if self._resubmitted:
            return self._resubmitted.popleft()
        if self._given >= self.allowed:
            return None
        task = next(self._source, None)
        self._given += 1
        self._exhausted = task is None
        return task

    def _receive(self, worker: Worker[Task, Message]) -> Iterator[Event[Task, Message]]:
        answer = worker.receive()
        worker.since = self._now()
        if answer is None:
            yield from self._lose(worker, "the process died", reasons.CRASHED)
        elif isinstance(answer, OutOfMemory):
            most = f"{(self._pool.max_memory or 0) / 1e6:,.0f} MB"
            yield from self._lose(worker, f"took more than {most} of memory", reasons.TOO_MUCH_MEMORY)
        elif isinstance(answer, Raised):
            lost = Lost(*worker.tasks[0], tuple(worker.messages), answer.reason, reasons.UNEXPECTED, answer.trace)
            worker.finish(self._now())
            yield lost
        elif isinstance(answer, WorkerMessage):
            worker.messages.append(answer.message)
            yield TaskMessage(*worker.tasks[0], answer.message)
        elif worker.ready:
            worker.finish(self._now())
        else:
            worker.ready = True

    def _lose(self, worker: Worker[Task, Message], reason: str, counted: Reason) -> Iterator[Event[Task, Message]]:
        """Replace a process; the task in progress is lost, and the tasks that it has not started go to others."""
        if not worker.ready:
            raise WorkerFailed("a worker process ended before it started its first task")
        worker.stop()
        self._workers[self._workers.index(worker)] = self._start()
        if worker.tasks:
            lost = worker.tasks.popleft()
            self._resubmitted.extend(worker.tasks)
            yield Lost(*lost, tuple(worker.messages), reason, counted)

    def _start(self) -> Worker[Task, Message]:
        return Worker.start(self._pool.prepare, self._pool.max_memory)

    def _now(self) -> float:
        return self._pool.clock.monotonic()


class SingleWorker(Generic[Task, Message]):
    """A pool of one process that does one task at a time, on request."""

    def __init__(self, pool: Pool[Task, Message]) -> None:
        """Wrap the pool; its process starts with the first task."""
        self._queue = deque[Task]()
        # The pool draws a task only when its process is free and `ask` has just queued one.
        self._answers = pool.ordered(self._queue.popleft() for _ in repeat(None))

    def ask(self, task: Task) -> Message | Failed:
        """Return the message of a task, or why it failed; a failed process is replaced before the next task."""
        self._queue.append(task)
        return next(self._answers)

    def close(self) -> None:
        """End the process."""
        self._answers.close()
