"""SIGHUP makes a crawl read its configuration and its file of sources again, as services do."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from broadsheet.cli.console import Console
from broadsheet.newsroom.crawl import Crawl


class ReloadHandler:
    """The handler of SIGHUP, for crawls that follow each other."""

    def __init__(self, console: Console) -> None:
        """Set the console for messages; nothing runs yet."""
        self._console = console
        self._crawl: Crawl | None = None
        self._asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Let the crawl that runs finish; the next one begins with what is read then."""
        del number, frame
        self._asked = True
        self._console.message("finishing the pages in flight, then reading the configuration again")
        if self._crawl is not None:
            self._crawl.finish()

    @contextmanager
    def watching(self, crawl: Crawl) -> Iterator[None]:
        """Let SIGHUP end a crawl inside the `with` block, also one that came just before."""
        self._crawl = crawl
        if self._asked:
            crawl.finish()
        try:
            yield
        finally:
            self._crawl = None

    def take(self) -> bool:
        """Return whether a signal has come since this was last called."""
        asked, self._asked = self._asked, False
        return asked


@contextmanager
def reloadable(console: Console) -> Iterator[ReloadHandler]:
    """Reload on SIGHUP inside the `with` block, unless it means that the terminal was closed, or is ignored."""
    handler = ReloadHandler(console)
    previous = signal.getsignal(signal.SIGHUP)
    if console.has_terminal or previous is signal.SIG_IGN:
        yield handler
        return
    signal.signal(signal.SIGHUP, handler)
    try:
        yield handler
    finally:
        signal.signal(signal.SIGHUP, previous)
