"""Read a response as a feed or sitemap."""

from datetime import datetime

from broadsheet.base import reasons
from broadsheet.base.errors import InputError, TooManyBytes
from broadsheet.base.limits import Limits
from broadsheet.base.reasons import Reason
from broadsheet.document.decoding import decode
from broadsheet.document.feeds._feed_json import read_feed_json
from broadsheet.document.feeds._feed_xml import declares_entities, read_xml
from broadsheet.document.feeds._item_collector import ItemCollector
from broadsheet.document.feeds.listing import Listing

#: The parsed form of JSON takes several times its length.
MAX_JSON_BYTES = 5_000_000


class NotAFeed(InputError):  # noqa: N818 - named after what is wrong
    """A response cannot be read as a feed or sitemap."""

    def __init__(self, reason: Reason, detail: str) -> None:
        """Keep what it is counted as."""
        super().__init__(detail)
        self.reason = reason


def read_listing(content: bytes, url: str, at: datetime, *, content_type: str = "", limits: Limits) -> Listing:
    """Return what a feed or sitemap lists that was fetched from `url` at the time `at`.

    Raise `NotAFeed` if the response is something else or declares entities, and a `LimitError` if it is too large.
    """
    if len(content) > limits.max_bytes:
        raise TooManyBytes(len(content), limits.max_bytes)
    data = decode(content, content_type=content_type, url=url).data.lstrip(b"\xef\xbb\xbf \t\r\n")
    collector = ItemCollector(url, at)
    if data.startswith(b"{"):
        if len(data) > MAX_JSON_BYTES:
            raise TooManyBytes(len(data), MAX_JSON_BYTES)
        form = read_feed_json(data.decode("utf-8", "replace"), collector)
    elif declares_entities(data):
        raise NotAFeed(reasons.ENTITIES, "the feed has a DTD of its own, which could declare entities")
    else:
        form = read_xml(data, collector, limits) if data.startswith(b"<") else None
    if form is None:
        raise NotAFeed(reasons.NOT_A_FEED, "the response is neither a feed nor a sitemap")
    return collector.listing(form)
