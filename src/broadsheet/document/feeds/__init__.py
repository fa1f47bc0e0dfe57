"""Feeds (RSS, Atom, JSON Feed) and sitemaps: what they list, each item with its address, title, date and section."""

from broadsheet.document.feeds._feed_reading import NotAFeed, read_listing
from broadsheet.document.feeds.listing import FeedForm, ListedItem, Listing

__all__ = ["FeedForm", "ListedItem", "Listing", "NotAFeed", "listing", "read_listing"]
