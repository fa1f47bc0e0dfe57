"""Errors of a crawl as a whole and of `fetch`; a page that fails during a crawl gets a `Failure` instead."""

from broadsheet.base.errors import BroadsheetError
from broadsheet.base.reasons import Reason


class CrawlError(BroadsheetError):
    """A crawl cannot be run, or ended prematurely."""


class FetchError(CrawlError):
    """A page could not be fetched: `reason` is a short name to count by, `detail` a line for people."""

    def __init__(self, url: str, reason: Reason, detail: str) -> None:
        """Put the URL before the detail."""
        super().__init__(f"{url}: {detail}")
        self.url = url
        self.reason = reason
        self.detail = detail
