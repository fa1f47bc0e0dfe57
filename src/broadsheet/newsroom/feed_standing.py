"""What a feed is worth, from one visit to it and from what the home page and sections show."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple, Self

from broadsheet.archive import FeedRecord, FeedStanding
from broadsheet.newsroom.feed_items import RECENT

#: A feed is stale if home page and sections show so many newer articles that it does not list.
STALE_AFTER = 3
#: The fewest pages of a feed that have to be known before they can speak against it.
MIN_KNOWN = 5
#: The share of them that have to be articles.
MIN_ARTICLES = 0.3
#: What is not good is visited once in so many intervals of its source, and what leads nowhere even less often.
RARELY, HARDLY = 24, 24 * 7
#: A large feed is visited once in as many intervals as it has these bytes.
BYTES_PER_VISIT = 250_000
#: What is larger than the home page is visited once in so many intervals: the home page shows much of it sooner.
SELDOM = 2

_RATES: Mapping[FeedStanding, int] = {
    FeedStanding.NEW: 1,
    FeedStanding.GOOD: 1,
    FeedStanding.REDUNDANT: RARELY,
    FeedStanding.STALE: RARELY,
    FeedStanding.INDEX: RARELY,
    FeedStanding.FOREIGN: HARDLY,
    FeedStanding.USELESS: HARDLY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedVisit:
    """What one visit to a feed has shown."""

    form: str | None
    at: datetime
    items: int
    #: Items that lead to the source's own site.
    own: int
    #: Own items that were not there at the last visit, and those of them that better feeds should have listed by then.
    fresh: int
    brought: int
    #: Own items whose pages are known, and those of them that are articles.
    known: int
    articles: int
    #: When it last listed something new; None if nothing says so.
    newest: datetime | None
    #: Newer articles that home page and sections show, and no feed lists.
    missed: int
    #: Whether better feeds of the source are good.
    has_others: bool
    #: Whether other good feeds have listed much newer things.
    is_quiet: bool
    is_first: bool

    @classmethod
    def unchanged(cls, feed: FeedRecord, at: datetime, missed: int, *, is_quiet: bool) -> Self:
        """Return what a visit to a feed shows that has not changed."""
        return cls(
            form=feed.form,
            at=at,
            items=feed.items,
            own=feed.items,
            fresh=0,
            brought=0,
            known=0,
            articles=0,
            newest=feed.newest,
            missed=missed,
            has_others=False,
            is_quiet=is_quiet,
            is_first=False,
        )


class Judgement(NamedTuple):
    """A standing, and why."""

    standing: FeedStanding
    why: str


def judge_feed(visit: FeedVisit, before: FeedStanding) -> Judgement:
    """Judge a feed; what a visit says nothing about stays as it was."""
    if visit.form == "sitemap index":
        return Judgement(FeedStanding.INDEX, f"it lists {visit.items:,} sitemaps")
    if visit.own * 2 < visit.items:
        return Judgement(
            FeedStanding.FOREIGN, f"{visit.items - visit.own:,} of {visit.items:,} items are not on the site"
        )
    if visit.known >= MIN_KNOWN and visit.articles < MIN_ARTICLES * visit.known:
        return Judgement(FeedStanding.USELESS, f"{visit.articles:,} of {visit.known:,} pages in it are articles")
    if visit.missed >= STALE_AFTER:
        return Judgement(FeedStanding.STALE, f"it lacks {visit.missed:,} newer articles of the home page and sections")
    if not visit.items or (visit.is_first and visit.newest is not None and visit.at - visit.newest > RECENT):
        since = f"since {visit.newest:%Y-%m-%d}" if visit.newest else "at all"
        return Judgement(FeedStanding.STALE, f"it has listed nothing new {since}")
    if visit.is_first or visit.brought:
        return Judgement(FeedStanding.GOOD, f"{visit.own:,} of {visit.items:,} items are on the site")
    if visit.fresh and visit.has_others:
        return Judgement(FeedStanding.REDUNDANT, "other feeds had listed all of its new items before")
    if visit.is_quiet and not visit.fresh:
        return Judgement(FeedStanding.REDUNDANT, "other feeds have listed newer items for some time")
    kept = before if before is FeedStanding.REDUNDANT else FeedStanding.GOOD
    return Judgement(kept, f"home page and sections show {visit.missed:,} newer articles that it lacks")


def interval(
    standing: FeedStanding, every: timedelta, received: int, fresh_share: float = 0.0, home: int | None = None
) -> timedelta:
    """Return how long to wait until the next visit; `every` is the time between two visits of the home page.

    A good feed that is nearly all new would lose items: it is visited more often than the home page. One that takes
    more bytes than the home page (`home`, None if that is not known) is visited less often.
    """
    if standing is not FeedStanding.GOOD:
        return every * _RATES[standing]
    if received > BYTES_PER_VISIT:
        return every * min(RARELY, ceil(received / BYTES_PER_VISIT))
    if fresh_share >= 1 / 2:
        return every / 4 if fresh_share >= 2 / 3 else every / 2
    return every * SELDOM if home is not None and received > home else every
