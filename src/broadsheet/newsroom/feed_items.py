"""Items of feeds: which of them are worth a visit, and what they add to the articles that they lead to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from broadsheet.archive import FeedFacts, PageRecord, PageState
from broadsheet.base import urls
from broadsheet.base.records import Article
from broadsheet.document.feeds import ListedItem, Listing

#: Items that are older than this when they are first seen are not fetched: a sitemap may list the articles of years.
RECENT = timedelta(days=2)
#: The share of the items of a feed that have to say when they changed.
MIN_DATED = 0.5
#: If more than this share of the articles in a feed are said to have changed at once, the dates are those of the feed.
MAX_CHANGED = 0.5
#: The fewest articles that have to be known before that is said.
MIN_COMPARED = 5
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


class StatedDates(NamedTuple):
    """When a feed was visited, and when its items had changed by what it said then, by their keys."""

    at: datetime
    dates: Mapping[str, datetime]

    @classmethod
    def of(cls, listing: Listing, at: datetime) -> "StatedDates":
        """Return the dates of the items that are recent; a clock that is hours wrong does not matter."""
        stated = ((urls.key(item.url), item.changed) for item in listing.items if item.changed is not None)
        return cls(at, {key: changed for key, changed in stated if at - RECENT < changed < at})


def changed_items(
    listing: Listing, known: Mapping[str, PageRecord], at: datetime, before: StatedDates | None = None
) -> dict[str, datetime] | None:
    """Return when articles changed that are said to have changed since they were fetched, by their keys.

    Return None if that can't be told from the listing. A date that is later than the one stated `before` tells that an
    article has changed since that visit to the feed, even if it lies before the fetch of the article, because the clock
    or the time zone is wrong.

    `known` are the pages of the items. A date that was moved to the time of the visit, because it lay ahead, says
    nothing; nor does any if most articles are said to have changed: some sitemaps are dated anew at every request.
    """
    dates = {
        urls.key(item.url): item.changed for item in listing.items if item.changed is not None and item.changed < at
    }
    fetched = {
        key: page.fetch.fetched_at
        for key, page in known.items()
        if key in dates and page.kind == "article" and page.state is PageState.FETCHED and page.fetch.fetched_at
    }
    changed = {key: dates[key] for key, moment in fetched.items() if dates[key] > moment}
    if before is not None:
        moved = (key for key, moment in fetched.items() if moment <= before.at and key in before.dates)
        changed |= {key: at for key in moved if key not in changed and dates[key] > before.dates[key]}
    is_dated = len(dates) >= MIN_DATED * len(listing.items) > 0
    is_credible = len(fetched) < MIN_COMPARED or len(changed) <= MAX_CHANGED * len(fetched)
    return changed if is_dated and is_credible else None


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
        # Feeds write a day as its first moment.
        stated = listed.published.replace(tzinfo=None) if is_day else listed.published
        added |= {"published": stated, "published_precision": "day" if is_day else "second"}
    evidence = {name: SIGNAL for name in added if name != "published_precision"}
    return replace(article, **added, evidence={**article.evidence, **evidence}) if added else article
