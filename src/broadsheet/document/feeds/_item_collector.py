"""Collects the items of a listing within limits, and counts what is left out."""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from html import unescape

from broadsheet.base import reasons, urls
from broadsheet.base.reasons import Reason
from broadsheet.document.feeds._feed_dates import read_date
from broadsheet.document.feeds.listing import FeedForm, ListedItem, Listing

#: A sitemap may have 50,000 addresses by its protocol; nothing else has nearly as many.
MAX_ITEMS = 50_000
#: Titles and sections are cut at this length.
MAX_TEXT = 300
#: If more than this share of the dates in a listing cannot be right, and at least two, none of them is believed.
MAX_WRONG_DATES = 0.1
#: How much of a text is looked at, for the markup that it may hold.
_EXAMINED = 4_000

_TAG = re.compile(r"<[^<>]*+>")


class ItemCollector:
    """Takes items as they are read; `listing` gives all that were taken."""

    def __init__(self, url: str, at: datetime) -> None:
        """Take the address of the feed, against which others are resolved, and when it was fetched."""
        self._base = urls.normalise(url)
        self._at = at
        self._items: dict[str, ListedItem] = {}
        self.dropped = Counter[Reason]()
        self.is_full = False
        self._dates = 0

    def add(self, href: str, *, title: str = "", published: str = "", changed: str = "", section: str = "") -> None:
        """Take an item as it is written; one without an address, or beyond the limit, is counted."""
        if len(self._items) >= MAX_ITEMS:
            self.is_full = True
            self.dropped[reasons.OVER_FEED_ITEMS] += 1
            return
        url = urls.resolve(href, self._base) if href and len(href) <= urls.MAX_LENGTH else None
        if url is None or len(url) > urls.MAX_LENGTH:
            self.dropped[reasons.ITEM_ADDRESS] += 1
            return
        dates = self._date(published), self._date(changed)
        self._items.setdefault(url, ListedItem(url, _plain(title), *dates, section=_plain(section) or None))

    def listing(self, form: FeedForm) -> Listing:
        """Return what was collected; without dates, if many of them are wrong: the others are not better then."""
        wrong, items = self.dropped[reasons.ITEM_DATE], tuple(self._items.values())
        if wrong > max(1.0, MAX_WRONG_DATES * self._dates):
            items = tuple(replace(item, published=None, changed=None) for item in items)
            self.dropped[reasons.ITEM_DATE] = self._dates
        return Listing(form, items, dict(+self.dropped))

    def _date(self, text: str) -> datetime | None:
        if not text or text.isspace():
            return None
        self._dates += 1
        moment = read_date(text, self._at)
        if moment is None:
            self.dropped[reasons.ITEM_DATE] += 1
        return moment


def _plain(text: str) -> str:
    """Return a text without markup, which many feeds escape a second time."""
    text = text[:_EXAMINED]
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    return " ".join(text.split())[:MAX_TEXT]
