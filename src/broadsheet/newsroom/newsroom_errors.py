"""What goes wrong in a newsroom."""

from broadsheet.base.errors import BroadsheetError, InputError


class NoPage(InputError):
    """What came in is not a page that can be read."""


class PageRefused(InputError):
    """A page is not read; `counted` is what it is counted as."""

    def __init__(self, counted: str, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.counted = counted


class PageStumble(BroadsheetError):
    """The work on a page could not be done to its end; the text is what the page is counted as."""

    def __init__(self, counted: str, trace: str = "") -> None:
        """Keep the traceback of the process that did the work, to be shown with this one's."""
        super().__init__(counted)
        if trace:
            self.add_note(trace)


class CrawlFailed(BroadsheetError):
    """A crawl ended because something went wrong; its note says where, in the words of the process that crawled."""

    def __init__(self, message: str, trace: str = "") -> None:
        """Keep the traceback of the other process, to be shown with this one's."""
        super().__init__(message)
        if trace:
            self.add_note(trace)
