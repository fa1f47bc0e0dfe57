"""A system: anything that is given a page and timed, be it the bare parser, a stage of ours, or a peer."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.pages import Page

#: What is timed; it returns the text that it took for the article's, or None where it looks for no article.
Run = Callable[[Any], str | None]


def as_it_is(page: Page) -> Page:
    """Hand the page over unprepared: all of the work is timed."""
    return page


@dataclass(frozen=True)
class System:
    """One row of the table."""

    name: str
    #: The distribution whose version is shown and without which the system is left out.
    distribution: str
    #: Imports what the system needs and returns what is timed; a child process gets it by name: no closure.
    load: Callable[[], Run]
    #: Makes of the page what the timed call is given, outside the timing.
    prepare: Callable[[Page], Any] = as_it_is

    @property
    def version(self) -> str | None:
        """The installed version, or None where it is not installed."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None
