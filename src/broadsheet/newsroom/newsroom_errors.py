"""What goes wrong in a newsroom."""

from broadsheet.base.errors import BroadsheetError, ConfigError, InputError
from broadsheet.base.reasons import Reason


class Dropped(InputError):
    """Raised by a filter that drops a page, with the reason to count it by and one line for people."""

    def __init__(self, reason: Reason, detail: str) -> None:
        """Keep both."""
        super().__init__(detail)
        self.reason = reason


class UnknownFilter(ConfigError):
    """The configuration names a filter that is not installed."""


class CrawlFailed(BroadsheetError):
    """A crawl ended because something went wrong; its note says where, in the words of the process that crawled."""

    def __init__(self, message: str, trace: str = "") -> None:
        """Keep the traceback of the other process, to be shown with this one's."""
        super().__init__(message)
        if trace:
            self.add_note(trace)


class NotDelivered(BroadsheetError):
    """Events that a webhook did not take."""
