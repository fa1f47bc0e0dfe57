"""What can go wrong with a crawl as a whole; what goes wrong with one page is a `Failure` and no error."""

from broadsheet.base.errors import BroadsheetError


class CrawlError(BroadsheetError):
    """A crawl cannot be run, or ended before its time."""
