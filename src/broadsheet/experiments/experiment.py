"""The interface of an experiment and the context that it runs in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.experiments.experiment_results import ExperimentResults

Track = Callable[[Sequence[Any]], Iterator[Any]]
Say = Callable[[str], None]
Protocols = Literal["unseen", "seed"]


def _discard(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The inputs of an experiment and the folder of its results."""

    #: Where the results of single pages are stored, so that an interrupted experiment can resume.
    folder: Path
    clock: Clock
    counters: Counters
    #: A folder of corpora; None for generated pages.
    pages: Path | None = None
    #: Repeated snapshots of pages; None for generated ones.
    snapshots: Path | None = None
    #: Whose labels the studies of sources over time learn from: other publishers' ("unseen"), or the judged site's own,
    #: cross-validated by address ("seed").
    protocol: Protocols = "unseen"
    #: The most pages of each split; None for the experiment's own choice.
    sample: int | None = None
    #: The most pages that a study of many settings or sizes labels for each of them; None for its own choice.
    labelled: int | None = None
    #: The most pages of a site that a study of depths fetches per snapshot, at depth 1, 2 and so on; none for its own.
    most_pages: tuple[int, ...] = ()
    workers: int = 1
    #: Iterates over items and shows progress.
    track: Track = iter
    #: Shows one line to the user.
    say: Say = _discard


class Experiment(Protocol):
    """A module with these attributes is an experiment."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """The name on the command line."""
        ...

    @property
    def HELP(self) -> str:  # noqa: N802 - a module's constant
        """One line of help."""
        ...

    @property
    def ROOMS(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """The subpackages that its figures depend on."""
        ...

    def run(self, context: Context) -> ExperimentResults:
        """Run the experiment and return its results."""
        ...
