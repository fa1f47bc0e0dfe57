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
    """A page is not read, for a reason to count by."""

    def __init__(self, reason: Reason, text: str) -> None:
        """Keep both."""
        super().__init__(text)
        self.reason = reason

    @property
    def told(self) -> str:
        """What happened, in words that follow the address."""
        return _told(self.reason, str(self))


class PageStumble(BroadsheetError):
    """The work on a page could not be done to its end, for a reason to count by."""

    def __init__(self, reason: Reason, text: str, trace: str = "") -> None:
        """Keep the traceback of the process that did the work, to be shown with this one's."""
        super().__init__(text)
        self.reason = reason
        if trace:
            self.add_note(trace)

    @property
    def told(self) -> str:
        """What happened, in words that follow the address."""
        return _told(self.reason, str(self))


class CrawlFailed(BroadsheetError):
    """A crawl ended because something went wrong; its note says where, in the words of the process that crawled."""

    def __init__(self, message: str, trace: str = "") -> None:
        """Keep the traceback of the other process, to be shown with this one's."""
        super().__init__(message)
        if trace:
            self.add_note(trace)


def _told(reason: Reason, text: str) -> str:
    return f"cannot be read ({reason}): {text}"
