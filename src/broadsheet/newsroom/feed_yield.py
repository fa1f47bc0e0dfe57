"""What a visit to a feed has brought: new items, signs of revisions, and what they say about the feed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from broadsheet.archive import FeedRecord, PageState
from broadsheet.base import reasons, urls
from broadsheet.document.feeds import ListedItem, Listing
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_items import StatedDates, changed_items, facts, fresh_items
from broadsheet.newsroom.feed_register import HOPELESS, FeedRegister
from broadsheet.newsroom.feed_standing import FeedVisit
from broadsheet.newsroom.front_coverage import FrontCoverage
from broadsheet.newsroom.judging import LISTED_IN_FEED, LISTED_IN_SITEMAP
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.revisits import Revisits
from broadsheet.newsroom.sightings import NewItems, Sightings


class FeedYield:
    """Uses what feeds list, and says what it was."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is compared, and who is told
        self,
        desk: Desk,
        agenda: Agenda,
        register: FeedRegister,
        coverage: FrontCoverage,
        sightings: Sightings,
        revisits: Revisits,
    ) -> None:
        """Take what items are compared with, and what follows new and revised articles."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._coverage = coverage
        self._sightings = sightings
        self._revisits = revisits
        #: What feeds said last, by page; only feeds that are followed come here.
        self._stated: dict[str, StatedDates] = {}

    def of_changed(
        self, visit: AnsweredVisit, feed: FeedRecord, listing: Listing, links: PageLinks, before: PageLinks
    ) -> tuple[FeedRecord, FeedVisit]:
        """Use what a feed lists, and return the feed as it is now; `before` is what it listed when last fetched."""
        source, at = feed.source, visit.answer.at
        feed = replace(feed, form=listing.form, items=len(listing.items))
        own = self._own(source, links)
        since = visit.page.fetch.fetched_at if before.keys else None
        fresh = fresh_items(listing, frozenset(before.keys), since, at)
        told = {key: said for key, said in facts(feed.page, fresh).items() if key in own}
        brought = self._brought(feed, [item for item in fresh if urls.key(item.url) in told])
        if feed.standing not in HOPELESS or since is None:
            evidence = LISTED_IN_SITEMAP if listing.form == "sitemap" else LISTED_IN_FEED
            self._sightings.see_items(source, feed.page, links, NewItems(told, evidence))
        new = [item.dated for item in fresh if urls.key(item.url) in told]
        newest = max((moment for moment in new if moment), default=at if new else None)
        if since is None:
            newest = newest or listing.newest
            self._desk.miss(source, reasons.OLD_ITEM, len(listing.items) - len(fresh), url=visit.answer.url)
        feed = replace(feed, newest=newest or feed.newest)
        known = self._desk.writer.pages(own)
        fetched = [page for page in known.values() if page.state is not PageState.KNOWN]
        changed = changed_items(listing, known, at, self._stated.get(feed.page))
        self._stated[feed.page] = StatedDates.of(listing, at)
        feed = replace(feed, tells_changes=changed is not None)
        for key, moment in (changed or {}).items():
            self._revisits.see_date(source, key, moment)
        foreign = len(set(links.keys).difference(own, before.keys))
        self._desk.miss(source, reasons.FOREIGN_ITEM, foreign, url=visit.answer.url)
        return feed, FeedVisit(
            form=listing.form,
            at=at,
            items=len(listing.items),
            own=len(own),
            fresh=len(told),
            brought=brought,
            known=len(fetched),
            articles=sum(page.kind == "article" and page.state is not PageState.GONE for page in fetched),
            newest=feed.newest,
            missed=0 if since is None else self._missed(feed, at),
            has_others=bool(self._register.better(feed)),
            is_quiet=self._register.is_quiet(feed),
            is_first=since is None,
        )

    def of_unchanged(self, visit: AnsweredVisit, feed: FeedRecord) -> FeedVisit:
        """Return what a visit shows to a feed that has not changed: fronts may show what it lacks."""
        at = visit.answer.at
        if feed.page in self._stated:
            self._stated[feed.page] = self._stated[feed.page]._replace(at=at)
        return FeedVisit.unchanged(feed, at, self._missed(feed, at), is_quiet=self._register.is_quiet(feed))

    def _own(self, source: str, links: PageLinks) -> dict[str, None]:
        """Return the keys of the items that lead to the source's own site, in their order."""
        domain = self._agenda.domain(source)
        return dict.fromkeys(links.keys[row] for row in links.on_site(domain))

    def _brought(self, feed: FeedRecord, items: Sequence[ListedItem]) -> int:
        """Return how many items no better feed has listed, though they were there when it was last visited."""
        better = self._register.better(feed)
        visits = [page.fetch.fetched_at for page in self._desk.writer.pages(better).values()]
        last = max(filter(None, visits), default=None)
        keys = [urls.key(item.url) for item in items if last is None or item.dated is None or item.dated <= last]
        members = self._desk.writer.members(feed.source, keys)
        listed = (members[key].listed for key in keys if key in members)
        return len(keys) - sum(said is not None and said.feed in better for said in listed)

    def _missed(self, feed: FeedRecord, at: datetime) -> int:
        newest = max(feed.newest or feed.found_at, feed.found_at)
        return self._coverage.missing(feed.source, newest + self._register.every(feed.source), at)
