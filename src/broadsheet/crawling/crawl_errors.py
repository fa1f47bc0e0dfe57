"""What goes wrong with a crawl as a whole, or with a page fetched alone; in a crawl a page has a `Failure`."""

from broadsheet.base.errors import BroadsheetError
from broadsheet.base.reasons import Reason


class CrawlError(BroadsheetError):
    """A crawl cannot be run, or ended before its time."""


class FetchError(CrawlError):
    """A page could not be fetched: `reason` is a word to count by, `detail` a line to read."""

    def __init__(self, url: str, reason: Reason, detail: str) -> None:
        """Name the address before what is wrong with it."""
        super().__init__(f"{url}: {detail}")
        self.url = url
        self.reason = reason
        self.detail = detail
