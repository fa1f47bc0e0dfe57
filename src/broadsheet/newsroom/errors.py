"""What goes wrong in a newsroom."""

from broadsheet.base.errors import BroadsheetError, InputError


class NoPage(InputError):
    """What came in is not a page that can be read."""


class CrawlFailed(BroadsheetError):
    """A crawl ended because something went wrong; its note says where, in the words of the process that crawled."""

    def __init__(self, message: str, trace: str = "") -> None:
        """Keep the traceback of the other process, to be shown with this one's."""
        super().__init__(message)
        if trace:
            self.add_note(trace)
