"""Read what a feed or sitemap lists."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from broadsheet.archive import LinkRows
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decode_body
from broadsheet.document.feeds import ListedItem, Listing, read_listing
from broadsheet.document.link_collections import IDENTITY_VERSION
from broadsheet.newsroom.newsroom_errors import Dropped
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import FoundLinks, PageVisit

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings

_GZIP = b"\x1f\x8b"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class FeedFilter:
    """Reads feeds and sitemaps; their items are the links of what was fetched."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Take the limits."""
        self._limits = settings.limits
        self._most = settings.quotas.max_page_links

    def apply(self, visit: PageVisit) -> None:
        """Write what the feed lists, or drop it if it cannot be read."""
        fetched = visit.fetched
        content = _unpacked(fetched.content, self._limits.max_bytes)
        listing = read_listing(content, fetched.url, fetched.at, content_type=fetched.content_type, limits=self._limits)
        kept = newest(listing.items, self._most)
        dropped = dict(listing.dropped)
        if left_out := len(listing.items) - len(kept):
            dropped[reasons.OVER_FEED_ITEMS] = dropped.get(reasons.OVER_FEED_ITEMS, 0) + left_out
        visit.listing = Listing(listing.form, kept, dropped)
        visit.links = FoundLinks(_rows(visit.listing), _targets(kept), dropped)


def newest(items: Sequence[ListedItem], most: int) -> tuple[ListedItem, ...]:
    """Return the newest items by their dates, in the order of the feed; where there are none, those at both ends."""
    if len(items) <= most:
        return tuple(items)
    middle = (len(items) - 1) / 2
    ranked = sorted(range(len(items)), key=lambda row: (items[row].dated or _LONG_AGO, abs(row - middle)), reverse=True)
    return tuple(items[row] for row in sorted(ranked[:most]))


def _unpacked(content: bytes, most: int) -> bytes:
    """Return the content of a gzip file, as sitemaps often are; anything else is returned as it is."""
    if not content.startswith(_GZIP):
        return content
    try:
        return decode_body(content, "gzip", most)
    except TooLargeDecompressed as error:
        raise Dropped(reasons.TOO_LARGE_DECOMPRESSED, str(error)) from error
    except CorruptBody as error:
        raise Dropped(reasons.ENCODING, str(error)) from error


def _targets(items: Sequence[ListedItem]) -> PageLinks:
    addresses = tuple(item.url for item in items)
    return PageLinks(
        tuple(map(urls.key, addresses)),
        addresses,
        tuple(map(registrable_domain, addresses)),
        tuple(item.title for item in items),
    )


def _rows(listing: Listing) -> LinkRows:
    """Return a row per item: the items of a feed are one collection."""
    number = len(listing.items)
    collection = hashlib.blake2b(listing.form.encode(), digest_size=8).hexdigest()
    return LinkRows(
        targets=tuple(urls.key(item.url) for item in listing.items),
        urls=tuple(item.url for item in listing.items),
        collections=(collection,) * number,
        positions=np.arange(number, dtype=np.int32),
        paths=(listing.form,) * number,
        anchors=tuple(item.title for item in listing.items),
        version=IDENTITY_VERSION,
    )
