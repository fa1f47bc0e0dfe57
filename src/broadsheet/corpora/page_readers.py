"""Reads pages in supervised processes: a system that crashes or hangs loses one page, and only for itself."""

import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from broadsheet.base import pool
from broadsheet.base.clock import Clock
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.page_scoring import Truth, result_of, score_system
from broadsheet.corpora.results import Result
from broadsheet.corpora.systems import System, load


@dataclass(frozen=True, slots=True)
class Task:
    """A page and the systems to read it."""

    page: LabelledPage
    systems: tuple[str, ...]
    #: Systems whose process was lost on this page, with the reason.
    lost: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A page that cannot be used, and why."""

    page: str
    reason: str


#: Bytes of memory that a process may use, for its systems and one page.
MAX_MEMORY = 4_000_000_000

Outcome: TypeAlias = Result | LeftOut
Loader: TypeAlias = Callable[[str], System]


class ReaderPool:
    """A few processes that read pages."""

    def __init__(
        self, systems: Sequence[str], workers: int, clock: Clock, limit: float = 60.0, loader: Loader = load
    ) -> None:
        """Configure the pool; `limit` is the number of seconds that one system has for one page.

        `loader` loads a system by name inside the processes, so it must be importable.
        """
        self._pool = pool.Pool(Readers(tuple(systems), loader), workers, clock, limit, MAX_MEMORY)

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield outcomes as they arrive, in no particular order."""
        run = self._pool.run(tasks)
        for event in run:
            if isinstance(event, pool.TaskMessage):
                yield event.message
            elif rest := remaining(event.task, event.messages, event.reason):
                run.resubmit(event.number, rest)
            else:
                yield LeftOut(event.task.page.labels.id, f"labelling the page: {event.reason}")


def remaining(task: Task, outcomes: Sequence[Outcome], reason: str) -> Task | None:
    """Return the remainder of a lost task: its current system has failed, the others read the page again."""
    done = {outcome.system for outcome in outcomes if isinstance(outcome, Result)}
    systems = [name for name in task.systems if name not in done]
    if not systems:
        return None
    lost = [(name, before) for name, before in task.lost if name not in done]
    return Task(task.page, tuple(systems[1:]), (*lost, (systems[0], reason)))


@dataclass(frozen=True, slots=True)
class Readers:
    """The work of one process: it loads its systems once and reads one page after another."""

    systems: tuple[str, ...]
    loader: Loader

    def __call__(self) -> Callable[[Task], Iterator[Outcome]]:
        """Load the systems."""
        silence()
        systems = {name: self.loader(name) for name in self.systems}
        return lambda task: _outcomes(task, systems)


def silence() -> None:
    """Suppress logs, prints and warnings of peers, which would drown the progress and the table."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until the process ends


def _outcomes(task: Task, systems: dict[str, System]) -> Iterator[Outcome]:
    try:
        truth = Truth.from_page(task.page)
    except Unusable as reason:
        yield LeftOut(task.page.labels.id, str(reason))
        return
    for name, error in task.lost:
        yield result_of(truth, name, systems[name].version, "", error=error)
    for name in task.systems:
        yield score_system(truth, systems[name])
