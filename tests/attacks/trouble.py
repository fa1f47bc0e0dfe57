"""Work that hangs, grows or dies on demand; what runs it in processes of their own has to import little with it."""

import os
import signal
from collections.abc import Iterable

from broadsheet.base.workers import Work
from broadsheet.newsroom.line import FilterSettings
from broadsheet.newsroom.page_visit import PageVisit


def spin() -> None:
    """Hang in compiled code that never lets go of the interpreter."""
    sum(range(10**15))


def grow() -> None:
    """Take all the memory there is."""
    held = []
    while True:
        held.append(bytes(10_000_000))


def die() -> None:
    """End as a fault in compiled code ends a process."""
    os.kill(os.getpid(), signal.SIGKILL)


TROUBLE = {"hang": spin, "grow": grow, "die": die}


def troubled() -> Work[str, str]:
    """Make work that does what its task names, and answers when that comes back."""

    def work(task: str) -> Iterable[str]:
        if task in TROUBLE:
            TROUBLE[task]()
        yield task

    return work


class TroubleFilter:
    """A filter that gives trouble if a page's address names it."""

    def __init__(self, settings: FilterSettings) -> None:
        """Need no settings."""

    def apply(self, visit: PageVisit) -> None:
        """Pass the page on, or not."""
        for name, trouble in TROUBLE.items():
            if name in visit.fetched.url:
                trouble()
