"""What every experiment is made of."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.experiments.experiment_results import ExperimentResults

Track = Callable[[Sequence[Any]], Iterator[Any]]
Say = Callable[[str], None]


def _tell_nobody(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an experiment works with and where it keeps what it measured."""

    #: Where the results of single pages are kept, so that the same experiment goes on where it was.
    folder: Path
    clock: Clock
    counters: Counters
    #: Labelled pages in the layout of corpora; None for pages that are made here.
    pages: Path | None = None
    #: Pages as they were time and again; None for such as are made here.
    snapshots: Path | None = None
    #: No more than so many pages of each split; None for as many as the experiment itself wants.
    sample: int | None = None
    workers: int = 1
    #: Gives items one by one while somebody may watch how far the work is.
    track: Track = iter
    #: Tells a person one line.
    say: Say = _tell_nobody


class Experiment(Protocol):
    """A module with these names is an experiment."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """What a person types."""
        ...

    @property
    def HELP(self) -> str:  # noqa: N802 - a module's constant
        """One line that says what is measured."""
        ...

    @property
    def ROOMS(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """The rooms of the package that its figures depend on."""
        ...

    def run(self, context: Context) -> ExperimentResults:
        """Measure and return what was found."""
        ...
