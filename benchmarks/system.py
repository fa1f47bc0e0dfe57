"""A timed system: lxml's parser, one of our stages, or a peer."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.pages import Page

#: The timed call; it returns the extracted text, or None if it does not extract text.
Run = Callable[[Any], str | None]


def unprepared(page: Page) -> Page:
    """Return the page as it is: all of the work is timed."""
    return page


@dataclass(frozen=True)
class System:
    """One row of the table."""

    name: str
    #: The distribution that the system needs and whose version is shown.
    distribution: str
    #: Imports the system and returns the timed call; must be picklable, so not a closure.
    load: Callable[[], Run]
    #: Prepares the argument of the timed call, outside the timing.
    prepare: Callable[[Page], Any] = unprepared

    @property
    def version(self) -> str | None:
        """The installed version, or None if it is not installed."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None
