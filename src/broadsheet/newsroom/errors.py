"""What goes wrong in a newsroom."""

from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.reasons import Reason


class NoPage(InputError):
    """What came in is not a page that can be read."""

    def __init__(self, reason: Reason, text: str) -> None:
        """Keep what it is counted as."""
        super().__init__(text)
        self.reason = reason


class PageRefused(InputError):
    """A page is not read; `counted` is what it is counted as."""

    def __init__(self, counted: Reason, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.counted = counted

    @property
    def told(self) -> str:
        """What happened, in words that follow the address."""
        return _told(self.counted, str(self))


class PageStumble(BroadsheetError):
    """The work on a page could not be done to its end; `counted` is what it is counted as."""

    def __init__(self, counted: Reason, reason: str, trace: str = "") -> None:
        """Keep the traceback of the process that did the work, to be shown with this one's."""
        super().__init__(reason)
        self.counted = counted
        if trace:
            self.add_note(trace)

    @property
    def told(self) -> str:
        """What happened, in words that follow the address."""
        return _told(self.counted, str(self))


class CrawlFailed(BroadsheetError):
    """A crawl ended because something went wrong; its note says where, in the words of the process that crawled."""

    def __init__(self, message: str, trace: str = "") -> None:
        """Keep the traceback of the other process, to be shown with this one's."""
        super().__init__(message)
        if trace:
            self.add_note(trace)


def _told(counted: Reason, reason: str) -> str:
    return f"cannot be read ({counted}): {reason}"
