"""SIGHUP makes a crawl read its configuration and its file of sources again, as services do."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from broadsheet.cli.console import Console
from broadsheet.newsroom.crawl import Crawl


class ReloadHandler:
    """The handler of SIGHUP; `asked` says whether one has come."""

    def __init__(self, crawl: Crawl, console: Console) -> None:
        """Set the crawl, which ends once the pages in flight have come, to begin again with what was read."""
        self._crawl = crawl
        self._console = console
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Let the crawl finish."""
        del number, frame
        self.asked = True
        self._console.message("finishing the pages in flight, then reading the configuration again")
        self._crawl.finish()


@contextmanager
def reloadable(crawl: Crawl, console: Console) -> Iterator[ReloadHandler]:
    """Reload on SIGHUP inside the `with` block, unless it means that the terminal was closed, or is ignored."""
    handler = ReloadHandler(crawl, console)
    previous = signal.getsignal(signal.SIGHUP)
    if console.has_terminal or previous is signal.SIG_IGN:
        yield handler
        return
    signal.signal(signal.SIGHUP, handler)
    try:
        yield handler
    finally:
        signal.signal(signal.SIGHUP, previous)
