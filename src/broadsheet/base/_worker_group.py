"""The worker processes of a pool: they are given tasks, listened to, and replaced."""

import math
import selectors
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from broadsheet.base import reasons
from broadsheet.base.clock import Clock
from broadsheet.base.errors import WorkerFailed
from broadsheet.base.reasons import Reason
from broadsheet.base.task_events import Event, Lost, TaskMessage
from broadsheet.base.workers import Attempt, OutOfMemory, Prepare, Raised, Worker, WorkerMessage

Task = TypeVar("Task")
Message = TypeVar("Message")

#: Seconds between two checks of the clock while there is work.
_CHECK_SECONDS = 0.5
#: How many processes in a row may be killed before they have started: more have a common cause.
_MAX_FAILED_STARTS = 3
#: A process's successor is started when this share of its tasks remains, so that it is ready in time.
_REMAINING_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class PoolSettings(Generic[Task, Message]):
    """How many processes work, on what, and within which limits."""

    #: Creates the work in each process.
    prepare: Prepare[Task, Message]
    size: int
    clock: Clock
    #: Seconds without a message after which a task is given up.
    limit: float = 60.0
    #: Bytes of memory that a process may use beyond what its libraries take; None for no limit.
    max_memory: int | None = None
    #: Tasks that each process is given beside the one it works on, so that it need not wait for the next.
    waiting: int = 0
    #: How many tasks a process is given before another takes its place; None for no limit.
    renew_after: int | None = None
    #: How often a task is tried whose process dies, is too slow or takes too much memory. One that has sent a message
    #: is not tried again: its messages would be sent twice.
    tries: int = 1

    def __post_init__(self) -> None:
        """Refuse settings with which no task would be done."""
        for name in ("size", "tries", "renew_after"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} of a pool must be at least 1, not {value}")


class WorkerGroup(Generic[Task, Message]):
    """The worker processes, from their start to their end; all methods are called in one thread.

    Call `assign` and `listen` in turn.
    """

    def __init__(self, settings: PoolSettings[Task, Message]) -> None:
        """Take the settings; the processes start with the block."""
        self._settings = settings
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker[Task, Message]] = []
        self._again = deque[Attempt[Task]]()
        self._failed_starts = 0
        self._most = settings.renew_after or math.inf

    def __enter__(self) -> Self:
        """Start the processes."""
        try:
            self._start_missing()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()
        self._selector.close()

    @property
    def has_tasks(self) -> bool:
        """Whether any task is not finished."""
        return bool(self._again) or any(worker.tasks for worker in self._workers)

    def add_reader(self, descriptor: int, respond: Callable[[], None]) -> None:
        """Let `listen` also respond to a file descriptor that becomes readable."""
        self._selector.register(descriptor, selectors.EVENT_READ, respond)

    def assign(self, draw: Callable[[], tuple[int, Task] | None]) -> Iterator[Event[Task, Message]]:
        """Give tasks to processes with room for one; yield those that cannot be sent.

        `draw` returns the next task with its number, or None if there is none now.
        """
        self._renew()
        for enough in range(1, self._settings.waiting + 2):
            # No process gets a second task while another has none.
            for worker in self._workers:
                # More than once only after a task that cannot be sent.
                while len(worker.tasks) < enough and self._takes(worker) and (attempt := self._next(draw)):
                    yield from self._give(worker, attempt)

    def listen(self) -> Iterator[Event[Task, Message]]:
        """Wait until a process, a file descriptor or the clock has news, and yield what became of tasks."""
        at_work = self.has_tasks or not all(worker.ready for worker in self._workers)
        for key, mask in self._selector.select(_CHECK_SECONDS if at_work else None):
            if not isinstance(key.data, Worker):
                key.data()
                continue
            if mask & selectors.EVENT_WRITE:
                self._flush(key.data)
            if mask & selectors.EVENT_READ:
                yield from self._receive(key.data)
        now = self._now()
        for worker in [
            worker for worker in self._workers if worker.tasks and now - worker.since > self._settings.limit
        ]:
            yield from self._lose(worker, f"took more than {self._settings.limit:g} s", reasons.TOO_SLOW)

    def _next(self, draw: Callable[[], tuple[int, Task] | None]) -> Attempt[Task] | None:
        if self._again:
            return self._again.popleft()
        drawn = draw()
        return drawn and Attempt(*drawn)

    def _takes(self, worker: Worker[Task, Message]) -> bool:
        """Return whether a process takes tasks; no more than the pool's size work at a time."""
        if not worker.ready or worker.given >= self._most or (worker.is_retiring and self._is_complete):
            return False
        return bool(worker.tasks) or sum(bool(other.tasks) for other in self._workers) < self._settings.size

    def _give(self, worker: Worker[Task, Message], attempt: Attempt[Task]) -> Iterator[Event[Task, Message]]:
        try:
            worker.give(attempt, self._now())
        except Exception as error:  # noqa: BLE001 - pickling calls any code, and one task must not end all others
            reason = f"cannot be sent to a process ({type(error).__name__}: {error})"
            trace = "".join(traceback.format_exception(error))
            yield Lost(attempt.number, attempt.task, (), reason, reasons.UNEXPECTED, trace)
        else:
            self._watch(worker)

    def _receive(self, worker: Worker[Task, Message]) -> Iterator[Event[Task, Message]]:
        answer = worker.receive()
        worker.since = self._now()
        if answer is None:
            yield from self._lose(worker, "the process died", reasons.CRASHED)
        elif isinstance(answer, OutOfMemory):
            most = f"{(self._settings.max_memory or 0) / 1e6:,.0f} MB"
            yield from self._lose(worker, f"took more than {most} of memory", reasons.TOO_MUCH_MEMORY)
        elif isinstance(answer, Raised):
            attempt, messages = worker.finish(self._now())
            yield Lost(attempt.number, attempt.task, messages, answer.reason, reasons.UNEXPECTED, answer.trace)
        elif isinstance(answer, WorkerMessage):
            worker.messages.append(answer.message)
            attempt = worker.tasks[0]
            yield TaskMessage(attempt.number, attempt.task, answer.message)
        elif worker.ready:
            attempt, _ = worker.finish(self._now())
            for message in answer.messages:
                yield TaskMessage(attempt.number, attempt.task, message)
        else:
            worker.ready, self._failed_starts = True, 0

    def _lose(self, worker: Worker[Task, Message], reason: str, counted: Reason) -> Iterator[Event[Task, Message]]:
        """Replace a process: it has failed the first of its tasks, and has not started the others."""
        if not worker.ready:
            self._check_start(worker)
        self._remove(worker)
        if worker.tasks:
            attempt = worker.tasks.popleft()
            self._again.extendleft(reversed(worker.tasks))
            if attempt.tries < self._settings.tries and not worker.messages:
                self._again.appendleft(Attempt(attempt.number, attempt.task, attempt.tries + 1))
            else:
                tried = f" (tried {attempt.tries} times)" if attempt.tries > 1 else ""
                yield Lost(attempt.number, attempt.task, tuple(worker.messages), reason + tried, counted)
        self._start_missing()

    def _check_start(self, worker: Worker[Task, Message]) -> None:
        """Raise if a process ended before it was ready, unless something seems to have killed just this one."""
        self._failed_starts += 1
        if not worker.was_killed() or self._failed_starts >= _MAX_FAILED_STARTS:
            raise WorkerFailed("a worker process ended before it started its first task")

    @property
    def _is_complete(self) -> bool:
        """Whether as many processes as wanted are ready, besides those that retire."""
        return all(worker.ready for worker in self._workers)

    def _renew(self) -> None:
        """Start the successor of a process that has done nearly enough, one at a time, and end those that retire."""
        if self._settings.renew_after is None:
            return
        for worker in tuple(self._workers):
            if worker.is_retiring and not worker.tasks and (self._is_complete or worker.given >= self._most):
                self._remove(worker)
            elif worker.given >= self._most * (1 - _REMAINING_SHARE) and not worker.is_retiring and self._is_complete:
                worker.is_retiring = True
                self._start_missing()

    def _start_missing(self) -> None:
        """Start processes until there are enough, not counting those that retire."""
        while sum(not worker.is_retiring for worker in self._workers) < self._settings.size:
            worker = Worker[Task, Message].start(self._settings.prepare, self._settings.max_memory)
            self._workers.append(worker)
            self._selector.register(worker.connection, selectors.EVENT_READ, worker)
            self._watch(worker)

    def _remove(self, worker: Worker[Task, Message]) -> None:
        self._selector.unregister(worker.connection)
        self._workers.remove(worker)
        worker.stop()

    def _flush(self, worker: Worker[Task, Message]) -> None:
        worker.flush()
        self._watch(worker)

    def _watch(self, worker: Worker[Task, Message]) -> None:
        """Wait for room in the process's pipe only while something is to be sent."""
        if worker.is_sending != worker.is_watched:
            worker.is_watched = worker.is_sending
            writing = selectors.EVENT_WRITE if worker.is_sending else 0
            self._selector.modify(worker.connection, selectors.EVENT_READ | writing, worker)

    def _now(self) -> float:
        return self._settings.clock.monotonic()
