"""Pages read in spawned processes: one that dies or takes too long costs one system one page, and is replaced."""

import logging
import multiprocessing
import os
import signal
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TypeAlias

from broadsheet.base.clock import Clock
from broadsheet.base.errors import BroadsheetError
from broadsheet.corpora.errors import Unusable
from broadsheet.corpora.page import LabelledPage
from broadsheet.corpora.results import Result
from broadsheet.corpora.scoring import Truth, result_of, score_system
from broadsheet.corpora.systems import System, load


@dataclass(frozen=True, slots=True)
class Task:
    """A page, and the systems that are to read it."""

    page: LabelledPage
    systems: tuple[str, ...]
    #: What the systems before these failed with outside Python, by name.
    lost: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A page that cannot be used, and why."""

    page: str
    reason: str


Outcome: TypeAlias = Result | LeftOut
Loader: TypeAlias = Callable[[str], System]


@dataclass(eq=False)
class _Worker:
    """A process, what it is working on, and since when it has said nothing."""

    process: SpawnProcess
    connection: Connection
    #: Whether it has loaded its systems, which no page's time is charged with.
    ready: bool = False
    task: Task | None = None
    remaining: deque[str] = field(default_factory=deque)
    since: float = 0.0

    def heard(self, system: str) -> None:
        """Note that a system is done with the page; what was lost before is only reported, not done again."""
        if self.task:
            self.task = Task(self.task.page, self.task.systems, tuple(x for x in self.task.lost if x[0] != system))
        if self.remaining and self.remaining[0] == system:
            self.remaining.popleft()


class Pool:
    """A few processes that read pages."""

    def __init__(
        self, systems: Sequence[str], workers: int, clock: Clock, limit: float = 60.0, loader: Loader = load
    ) -> None:
        """Take the names of the systems, the number of processes and the seconds that one system has for one page.

        `loader` makes a system of its name, in the processes: a function that they can import.
        """
        self._systems = tuple(systems)
        self._size = workers
        self._clock = clock
        self._limit = limit
        self._loader = loader

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Give the outcomes as they come; the order is the workers'."""
        waiting, source = deque[Task](), iter(tasks)
        workers = [self._start() for _ in range(self._size)]
        try:
            while True:
                for worker in workers:
                    if (
                        worker.ready
                        and not worker.task
                        and (task := waiting.popleft() if waiting else next(source, None))
                    ):
                        self._give(worker, task)
                busy = [worker for worker in workers if worker.task or not worker.ready]
                if not busy:
                    return
                ready = wait([worker.connection for worker in busy], timeout=1.0)
                for worker in busy:
                    if worker.connection in ready:
                        yield from self._hear(worker, waiting)
                    elif worker.task and self._clock.monotonic() - worker.since > self._limit:
                        yield from self._lose(worker, waiting, f"took more than {self._limit:g} s")
        finally:
            for worker in workers:
                _stop(worker)

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self._systems, self._loader), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _give(self, worker: _Worker, task: Task) -> None:
        worker.task, worker.remaining = task, deque(task.systems)
        worker.since = self._clock.monotonic()
        with suppress(BrokenPipeError):
            # A worker that is gone is noticed when it is listened to.
            worker.connection.send(task)

    def _hear(self, worker: _Worker, waiting: deque[Task]) -> Iterator[Outcome]:
        try:
            message: Outcome | None = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            yield from self._lose(worker, waiting, "the process died")
            return
        worker.since = self._clock.monotonic()
        if message is None:
            worker.ready, worker.task = True, None
            return
        if isinstance(message, Result):
            worker.heard(message.system)
        yield message

    def _lose(self, worker: _Worker, waiting: deque[Task], reason: str) -> Iterator[Outcome]:
        """Replace a worker's process; the system it was in has failed, the others get the page again."""
        if not worker.ready:
            raise BroadsheetError("a process that was to read pages ended before it began")
        task, remaining = worker.task, tuple(worker.remaining)
        _stop(worker)
        fresh = self._start()
        worker.process, worker.connection, worker.ready, worker.task = fresh.process, fresh.connection, False, None
        if task and remaining:
            waiting.append(Task(task.page, remaining[1:], (*task.lost, (remaining[0], reason))))
        elif task:
            yield LeftOut(task.page.labels.id, f"labelling the page: {reason}")


def _stop(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.terminate()
    worker.process.join(5)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def _work(connection: Connection, names: Sequence[str], loader: Loader) -> None:
    """Read pages until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What peers log, print and warn about while they read would drown the progress and the table.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        _serve(connection, names, loader)


def _serve(connection: Connection, names: Sequence[str], loader: Loader) -> None:
    systems = {name: loader(name) for name in names}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        connection.send(None)
        while True:
            task: Task = connection.recv()
            for outcome in _outcomes(task, systems):
                connection.send(outcome)
            connection.send(None)


def _outcomes(task: Task, systems: dict[str, System]) -> Iterator[Outcome]:
    try:
        truth = Truth.of(task.page)
    except Unusable as reason:
        yield LeftOut(task.page.labels.id, str(reason))
        return
    for name, error in task.lost:
        yield result_of(truth, name, systems[name].version, "", error=error)
    for name in task.systems:
        yield score_system(truth, systems[name])
