"""Items of feeds: which of them are worth a visit, and what they add to the articles that they lead to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

from broadsheet.archive import FeedFacts
from broadsheet.base import urls
from broadsheet.base.records import Article
from broadsheet.document.feeds import ListedItem, Listing

#: Items that are older than this when they are first seen are not fetched: a sitemap may list the articles of years.
RECENT = timedelta(days=2)
#: What a feed says of an article that does not say so itself, in the evidence of the article.
SIGNAL = "feed"


def fresh_items(listing: Listing, known: frozenset[str], since: datetime | None, at: datetime) -> list[ListedItem]:
    """Return the items of a listing that are new and recent; `known` are the keys of those it had when last visited.

    `since` is when that was, None if it is visited for the first time: then a sitemap's undated items may be of any
    age. A date that came with an item is believed only if the item is new.
    """
    oldest = at - RECENT if since is None else min(since, at - RECENT)
    new = (item for item in listing.items if urls.key(item.url) not in known)
    is_feed = listing.form not in {"sitemap", "sitemap index"}
    return [item for item in new if (item.dated >= oldest if item.dated is not None else is_feed or since is not None)]


def facts(feed: str, items: list[ListedItem]) -> Mapping[str, FeedFacts]:
    """Return what a feed says of its items, by their keys."""
    return {
        urls.key(item.url): FeedFacts(feed=feed, title=item.title, published=item.published, section=item.section)
        for item in items
    }


def complete(article: Article, listed: FeedFacts | None) -> Article:
    """Return an article with the title, date and section that a feed gives it, where its page has none."""
    if listed is None:
        return article
    added: dict[str, Any] = {}
    if not article.title and listed.title:
        added["title"] = listed.title
    if not article.section and listed.section:
        added["section"] = listed.section
    if article.published is None and listed.published is not None:
        is_day = listed.published.timetz().replace(tzinfo=None) == time()
        added |= {"published": listed.published, "published_precision": "day" if is_day else "second"}
    stated = {name: SIGNAL for name in added if name != "published_precision"}
    return replace(article, **added, evidence={**article.evidence, **stated}) if added else article
