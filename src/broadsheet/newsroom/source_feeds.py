"""The feeds and sitemaps of sources: found, judged, and visited at the pace that each deserves."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import (
    AgendaEntry,
    FeedFacts,
    FeedRecord,
    FeedStanding,
    Membership,
    PageRecord,
    PageState,
    VisitReason,
)
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.document.feeds import Listing
from broadsheet.newsroom.agenda import PRIORITIES, Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_discovery import (
    GIVEN,
    GUESSED,
    MAX_DEPTH,
    ROBOTS,
    best_sitemaps,
    linked_feeds,
    well_known_places,
)
from broadsheet.newsroom.feed_items import facts, fresh_items
from broadsheet.newsroom.feed_standing import LEAST_KNOWN, FeedVisit, Judgement, interval, judge_feed
from broadsheet.newsroom.front_coverage import FrontCoverage
from broadsheet.newsroom.judging import LISTED_IN_FEED, LISTED_IN_SITEMAP
from broadsheet.newsroom.kept_pages import AnsweredVisit, without_validators
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.sightings import NewItems, Sightings

#: Feeds that are worth nothing, and those that were not read yet.
_HOPELESS = frozenset({FeedStanding.FOREIGN, FeedStanding.USELESS})

#: So long after better feeds others are visited: by then it is known what the better ones list.
LAG = timedelta(minutes=2)
#: A feed is quiet if others have listed something that is so many intervals newer.
QUIET = 6


class SourceFeeds:
    """Knows which feeds the sources have."""

    def __init__(self, desk: Desk, agenda: Agenda, sightings: Sightings) -> None:
        """Know no feed yet; those of earlier runs are read from the archive."""
        self._desk = desk
        self._agenda = agenda
        self._sightings = sightings
        self._coverage = FrontCoverage(desk, agenda)
        self._feeds: dict[str, dict[str, FeedRecord]] = {}
        #: Visits that follow from the one in hand, which has to be settled first.
        self._following: list[AgendaEntry] = []
        #: Feeds that were refused, each counted once.
        self._refused: set[tuple[str, str]] = set()

    def begin(self, source: str) -> None:
        """Look for the feeds that the user named, and plan those that are known but not on the agenda."""
        if not self._desk.settings.feeds:
            return
        for url in self._agenda.sources[source].settings.feeds:
            self.find(source, url, GIVEN)
        for feed in self._known(source).values():
            is_lost = feed.form is not None and feed.standing not in _HOPELESS
            if is_lost and source not in self._agenda.planned(feed.page):
                self._plan(feed, self._desk.clock.now(), self._every(source))

    def find(self, source: str, url: str, found_on: str) -> None:
        """Try what may be a feed or sitemap, unless it was tried before."""
        known, key, now = self._known(source), urls.key(url), self._desk.clock.now()
        if key in known or key in self._agenda.sources or not self._desk.settings.feeds:
            return
        if refusal := self._refusal(source, url, found_on):
            if (source, key) not in self._refused:
                self._refused.add((source, key))
                self._desk.miss(source, refusal, url=url[: urls.MAX_LENGTH])
            return
        page = self._desk.record(key) or PageRecord(key=key, url=url, first_seen=now)
        self._desk.batch.page(without_validators(page))
        if key not in self._desk.writer.members(source, (key,)):
            self._desk.batch.member(Membership(source=source, page=key, first_seen=now, found_on=found_on))
        feed = FeedRecord(source=source, page=key, found_on=found_on, found_at=now)
        self._write(feed)
        self._plan(feed, now, None)

    def seen_front(self, visit: AnsweredVisit, named: tuple[str, ...] = ()) -> None:
        """Note the feeds that a front names; at each visit of the home page, see what the feeds of the source cover."""
        for source, entry in self._agenda.planned(visit.page.key).items():
            if not self._desk.settings.feeds or source not in self._agenda.sources:
                continue
            for url in named:
                self.find(source, url, visit.page.key)
            if entry.reason is VisitReason.HOME:
                for url in visit.answer.sitemaps:
                    self.find(source, url, ROBOTS)
                self.begin(source)
                self._guess(source)
                self._set_pace(source)

    def keep(self, visit: AnsweredVisit, listing: Listing, links: PageLinks, before: PageLinks) -> None:
        """Use what a feed lists; `before` is what it listed when it was last fetched."""
        for source in self._sources(visit):
            feed = self._known(source)[visit.page.key]
            if listing.form == "sitemap index":
                self._follow_index(visit, feed, listing)
            else:
                self._use(visit, feed, listing, links, before)

    def take_following(self) -> list[AgendaEntry]:
        """Return the visits that follow from the one that was kept."""
        following, self._following = self._following, []
        return following

    def keep_again(self, visit: AnsweredVisit) -> None:
        """Note that a feed has not changed: fronts may show what it lacks."""
        for source in self._sources(visit):
            feed = self._known(source)[visit.page.key]
            if feed.standing is FeedStanding.GOOD:
                at = visit.answer.at
                is_quiet = self._is_quiet(feed)
                self._judge(feed, FeedVisit.unchanged(feed, at, self._missed(feed, at), is_quiet=is_quiet), 0)

    def lose(self, visit: AnsweredVisit, why: str) -> None:
        """Note that a feed cannot be read or is gone; where it was only a guess, try the next place."""
        for source in self._sources(visit):
            feed = self._known(source)[visit.page.key]
            self._settle(feed, Judgement(FeedStanding.USELESS, why), 0)
            self._guess(source)

    def give_up(self, key: str) -> None:
        """Note that a feed never came."""
        for source in self._agenda.sources:
            feed = self._known(source).get(key)
            if feed is not None:
                self._write(replace(feed, standing=FeedStanding.USELESS, judged="it could not be fetched"))
                self._guess(source)

    def _use(
        self, visit: AnsweredVisit, feed: FeedRecord, listing: Listing, links: PageLinks, before: PageLinks
    ) -> None:
        source, at = feed.source, visit.answer.at
        domain = registrable_domain(self._agenda.sources[source].url)
        own = [links.keys[row] for row in links.on_site(domain)]
        since = visit.page.fetch.fetched_at if before.keys else None
        fresh = fresh_items(listing, frozenset(before.keys), since, at)
        told = {key: said for key, said in facts(feed.page, fresh).items() if key in set(own)}
        brought = self._brought(replace(feed, form=listing.form, items=len(listing.items)), told)
        evidence = LISTED_IN_SITEMAP if listing.form == "sitemap" else LISTED_IN_FEED
        if feed.standing not in _HOPELESS or since is None:
            self._sightings.see_items(source, feed.page, links, NewItems(told, evidence))
        new = [item.dated for item in fresh if urls.key(item.url) in told]
        newest = max((moment for moment in new if moment), default=at if new else None)
        if since is None:
            newest = newest or listing.newest
            self._count_old(source, visit, listing, len(fresh))
        feed = replace(feed, form=listing.form, items=len(listing.items), newest=newest or feed.newest)
        known = self._desk.writer.pages(own)
        fetched = [page for page in known.values() if page.state is not PageState.KNOWN]
        foreign = len(set(links.keys).difference(own, before.keys))
        self._desk.miss(source, reasons.FOREIGN_ITEM, foreign, url=visit.answer.url)
        seen = FeedVisit(
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
            has_others=bool(self._better(feed)),
            is_quiet=self._is_quiet(feed),
            is_first=since is None,
        )
        self._judge(feed, seen, len(visit.answer.exchanges[-1].body))

    def _judge(self, feed: FeedRecord, seen: FeedVisit, received: int) -> None:
        # Of a few items one is much.
        share = 0.0 if seen.is_first or seen.items < LEAST_KNOWN else seen.fresh / seen.items
        self._settle(feed, judge_feed(seen, feed.standing), received, share)

    def _settle(self, feed: FeedRecord, judged: Judgement, received: int, fresh_share: float = 0.0) -> None:
        """Keep what a feed was judged to be, and plan its next visit; what was never read is not visited again."""
        before = feed.standing
        feed = replace(feed, standing=judged.standing, judged=judged.why)
        self._write(feed)
        entry = self._agenda.planned(feed.page).get(feed.source)
        if feed.form is None:
            return
        every = interval(feed.standing, self._every(feed.source), received, fresh_share)
        if entry is None or entry.every is None:
            lag = LAG if self._better(feed) else timedelta()
            self._following.append(self._entry(feed, self._last_home(feed.source) + every + lag, every))
        elif entry.every != every.total_seconds():
            self._agenda.plan(replace(entry, every=every.total_seconds()))
        if before is FeedStanding.GOOD and feed.standing not in {FeedStanding.GOOD, FeedStanding.REDUNDANT}:
            self._replace(feed.source)

    def _replace(self, source: str) -> None:
        """Look again at what a feed that was good has made unnecessary: other feeds, and sections."""
        now = self._desk.clock.now()
        for feed in list(self._known(source).values()):
            if feed.standing is FeedStanding.REDUNDANT:
                self._write(replace(feed, standing=FeedStanding.GOOD))
                self._plan(feed, now, self._every(source))
        self._set_pace(source)

    def _follow_index(self, visit: AnsweredVisit, feed: FeedRecord, listing: Listing) -> None:
        source = feed.source
        if self._depth(feed) >= MAX_DEPTH:
            self._desk.miss(source, reasons.SITEMAP_TOO_DEEP, url=visit.answer.url)
        else:
            best = best_sitemaps(listing.items)
            for item in best:
                self.find(source, item.url, feed.page)
            self._desk.miss(source, reasons.OVER_SITEMAPS, len(listing.items) - len(best), url=visit.answer.url)
        feed = replace(feed, form=listing.form, items=len(listing.items))
        self._settle(feed, Judgement(FeedStanding.INDEX, f"it lists {feed.items:,} sitemaps"), 0)

    def _depth(self, feed: FeedRecord) -> int:
        """Return how many indexes led to a sitemap."""
        known, depth = self._known(feed.source), 0
        while depth <= MAX_DEPTH and feed.found_on in known:
            feed, depth = known[feed.found_on], depth + 1
        return depth

    def _guess(self, source: str) -> None:
        """Try the next place where a source may have a feed, if it names none and nothing else is being tried.

        A news sitemap is as good, but larger: then only what the home page links to is tried.
        """
        forms = {feed.form for feed in self._known(source).values() if feed.standing not in _HOPELESS}
        if not forms.isdisjoint({None, "rss", "atom", "json feed"}) or not self._desk.settings.feeds:
            return
        home = self._agenda.sources[source].url
        places = linked_feeds(self._desk.links.of(source), registrable_domain(home))
        if "news sitemap" not in forms:
            places.extend(well_known_places(home))
        untried = (url for url in places if urls.key(url) not in self._known(source))
        if (url := next(untried, None)) is not None:
            self.find(source, url, GUESSED)

    def _refusal(self, source: str, url: str, found_on: str) -> Reason | None:
        if len(url) > urls.MAX_LENGTH:
            return reasons.ADDRESS_TOO_LONG
        if self._desk.writer.is_forgotten(urls.key(url)):
            return reasons.FORGOTTEN
        is_own = registrable_domain(url) == registrable_domain(self._agenda.sources[source].url)
        if found_on != GIVEN and not is_own:
            return reasons.FOREIGN_FEED
        if len(self._known(source)) >= self._desk.quotas.max_feeds:
            return reasons.OVER_FEEDS
        return None

    def _brought(self, feed: FeedRecord, told: Mapping[str, FeedFacts]) -> int:
        """Return how many items no better feed had listed."""
        members, better = self._desk.writer.members(feed.source, told), self._better(feed)
        listed = (members[key].listed for key in told if key in members)
        return len(told) - sum(said is not None and said.feed in better for said in listed)

    def _better(self, feed: FeedRecord) -> set[str]:
        """Return the good feeds that come before one: a feed is smaller than a sitemap, and says more."""
        return {other.page for other in self._good(feed.source) if _rank(other) < _rank(feed)}

    def _is_quiet(self, feed: FeedRecord) -> bool:
        """Return whether other good feeds have listed much newer things."""
        newest = [other.newest for other in self._good(feed.source) if other.page != feed.page and other.newest]
        own = feed.newest or feed.found_at
        return max(newest, default=own) - own > QUIET * self._every(feed.source)

    def _missed(self, feed: FeedRecord, at: datetime) -> int:
        newest = max(feed.newest or feed.found_at, feed.found_at)
        return self._coverage.missing(feed.source, newest + self._every(feed.source), at)

    def _count_old(self, source: str, visit: AnsweredVisit, listing: Listing, fresh: int) -> None:
        self._desk.miss(source, reasons.OLD_ITEM, len(listing.items) - fresh, url=visit.answer.url)

    def _set_pace(self, source: str) -> None:
        good = self._good(source)
        pages = self._desk.writer.pages([feed.page for feed in good])
        visited = [page.fetch.fetched_at for page in pages.values() if page.fetch.fetched_at is not None]
        self._coverage.set_pace(source, [feed.found_at for feed in good], visited)

    def _good(self, source: str) -> list[FeedRecord]:
        return [feed for feed in self._known(source).values() if feed.standing is FeedStanding.GOOD]

    def _last_home(self, source: str) -> datetime:
        """Return when the home page was last due: feeds are visited in step with it."""
        now, every = self._desk.clock.now(), self._every(source)
        home = self._agenda.planned(source).get(source)
        due = home.due if home else now
        return due if due <= now else due - -(-(due - now) // every) * every

    def _plan(self, feed: FeedRecord, due: datetime, every: timedelta | None) -> None:
        self._agenda.plan(self._entry(feed, due, every))

    def _entry(self, feed: FeedRecord, due: datetime, every: timedelta | None) -> AgendaEntry:
        is_sitemap = feed.found_on == ROBOTS or (feed.form is not None and "sitemap" in feed.form)
        return AgendaEntry(
            source=feed.source,
            page=feed.page,
            due=due,
            reason=VisitReason.FEED,
            priority=PRIORITIES[VisitReason.FEED] - is_sitemap,
            every=None if every is None else every.total_seconds(),
        )

    def _sources(self, visit: AnsweredVisit) -> list[str]:
        """Return the sources that have a page as a feed."""
        wanted = {visit.source, *self._agenda.planned(visit.page.key)}
        return [source for source in sorted(wanted) if visit.page.key in self._known(source)]

    def _every(self, source: str) -> timedelta:
        return timedelta(seconds=self._agenda.sources[source].every)

    def _known(self, source: str) -> dict[str, FeedRecord]:
        if source not in self._feeds:
            self._feeds[source] = self._desk.writer.feeds(source)
        return self._feeds[source]

    def _write(self, feed: FeedRecord) -> None:
        self._known(feed.source)[feed.page] = feed
        self._desk.batch.feed(feed)


def _rank(feed: FeedRecord) -> tuple[bool, datetime, int, str]:
    return "sitemap" in (feed.form or ""), feed.found_at, -feed.items, feed.page
