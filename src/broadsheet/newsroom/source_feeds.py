"""The feeds and sitemaps of sources: found, judged, and visited at the pace that each deserves."""

from dataclasses import replace
from datetime import timedelta

from broadsheet.archive import FOUND_IN_ROBOTS, AgendaEntry, FeedRecord, FeedStanding, VisitReason
from broadsheet.document.feeds import ListedItem, Listing
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_discovery import GIVEN, GUESSED
from broadsheet.newsroom.feed_pace import FeedPace
from broadsheet.newsroom.feed_register import HOPELESS, FeedRegister
from broadsheet.newsroom.feed_search import FeedSearch
from broadsheet.newsroom.feed_standing import MIN_KNOWN, FeedVisit, Judgement, interval, judge_feed
from broadsheet.newsroom.feed_yield import FeedYield
from broadsheet.newsroom.front_coverage import FrontCoverage
from broadsheet.newsroom.front_paces import FrontPaces
from broadsheet.newsroom.front_tally import FeedItems
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.revisits import Revisits
from broadsheet.newsroom.sightings import Sightings


class SourceFeeds:
    """Follows the feeds of all sources: what happens to them is told here."""

    def __init__(self, desk: Desk, agenda: Agenda, sightings: Sightings, revisits: Revisits, paces: FrontPaces) -> None:
        """Take what follows the articles that feeds list, and what sets the pace of sections."""
        self._desk = desk
        self._agenda = agenda
        self._register = FeedRegister(desk, agenda)
        self._pace = FeedPace(desk, agenda, self._register)
        self._search = FeedSearch(desk, agenda, self._register, self._pace)
        self._paces = paces
        self._coverage = FrontCoverage(desk, agenda, paces.leadership)
        self._revisits = revisits
        #: The bytes of the home page of each source when it was last fetched in full.
        self._home_bytes: dict[str, int] = {}
        self._yield = FeedYield(desk, agenda, self._register, self._coverage, sightings, revisits)

    def begin(self, source: str) -> None:
        """Look for the feeds that the user named, and plan those that are known but not on the agenda."""
        if not self._desk.settings.feeds:
            return
        for url in self._agenda.sources[source].settings.feeds:
            self._search.find(source, url, GIVEN)
        for feed in self._register.known(source).values():
            is_lost = feed.form is not None and feed.standing not in HOPELESS
            if is_lost and source not in self._agenda.planned(feed.page):
                self._pace.plan(feed)

    def find(self, source: str, url: str, found_on: str) -> None:
        """Try what may be a feed or sitemap, unless it was tried before."""
        self._search.find(source, url, found_on)

    def seen_front(self, visit: AnsweredVisit, named: tuple[str, ...] = ()) -> None:
        """Note the feeds that a front names; at each visit of the home page, see what the feeds of the source cover."""
        for source, entry in self._agenda.planned(visit.page.key).items():
            if not self._desk.settings.feeds or source not in self._agenda.sources:
                continue
            for url in named:
                self._search.find(source, url, visit.page.key)
            if entry.reason is VisitReason.HOME:
                for url in visit.answer.sitemaps:
                    self._search.find(source, url, FOUND_IN_ROBOTS)
                self.begin(source)
                if received := len(visit.answer.exchanges[-1].body):
                    self._home_bytes[source] = received
                self._search.guess(source)
                self._relieve(source)

    def keep(self, visit: AnsweredVisit, listing: Listing, links: PageLinks, before: PageLinks) -> None:
        """Use what a feed lists; `before` is what it listed when it was last fetched."""
        for feed in self._register.visited(visit):
            if listing.form == "sitemap index":
                for reason, number in self._search.follow_index(feed, listing.items).items():
                    self._desk.miss(feed.source, reason, number, url=visit.answer.url)
                found = replace(feed, form=listing.form, items=len(listing.items))
                self._settle(found, Judgement(FeedStanding.INDEX, f"it lists {found.items:,} sitemaps"))
            else:
                received = len(visit.answer.exchanges[-1].body)
                self._compare(visit, feed, links, before, received)
                found, seen = self._yield.of_changed(visit, feed, listing, links, before)
                self._judge(found, seen, received)

    def were_read(self, visit: AnsweredVisit) -> bool:
        """Return whether it is known what a feed is, for all sources that have it."""
        return all(feed.form is not None for feed in self._register.visited(visit))

    def keep_again(self, visit: AnsweredVisit) -> None:
        """Note that a feed has not changed."""
        for feed in self._register.visited(visit):
            if feed.standing is FeedStanding.INDEX:
                # A sitemap that it led to may have failed since.
                self._search.follow_index(feed, [ListedItem(url) for url in self._desk.links.of(feed.page).urls])
            elif feed.standing is FeedStanding.GOOD:
                links = self._desk.links.of(feed.page)
                self._compare(visit, feed, links, links, None)
                self._judge(feed, self._yield.of_unchanged(visit, feed), None)

    def _compare(
        self, visit: AnsweredVisit, feed: FeedRecord, links: PageLinks, before: PageLinks, received: int | None
    ) -> None:
        """Let what a feed lists be compared with what fronts show, before its new items are known from it."""
        own = {links.keys[row]: None for row in links.on_site(self._agenda.domain(feed.source))}
        known = self._desk.writer.members(feed.source, own)
        is_cheap = (
            None if received is None else self._usual_interval(feed, received) <= self._register.every(feed.source)
        )
        found = [key for key in own if key not in known]
        last = visit.page.fetch.fetched_at
        items = FeedItems(own.keys(), frozenset(before.keys), found, last, received or 0, is_cheap)
        self._paces.tally.listed(feed.source, feed.page, items)

    def _usual_interval(self, feed: FeedRecord, received: int, fresh_share: float = 0.0) -> timedelta:
        every, home = self._register.every(feed.source), self._home_bytes.get(feed.source)
        return interval(feed.standing, every, received, fresh_share, home)

    def is_guess(self, visit: AnsweredVisit) -> bool:
        """Return whether a visit looked for a feed that nobody names."""
        feed = self._register.known(visit.source).get(visit.page.key) if visit.is_feed else None
        return feed is not None and feed.found_on == GUESSED and feed.form is None

    def take_following(self) -> list[AgendaEntry]:
        """Return the visits that follow from the one that was kept."""
        return self._pace.take_following()

    def lose(self, visit: AnsweredVisit, why: str) -> None:
        """Note that a feed cannot be read or is gone; where it was only a guess, try the next place."""
        for feed in self._register.visited(visit):
            self._settle(feed, Judgement(FeedStanding.USELESS, why))
            self._search.guess(feed.source)

    def give_up(self, key: str) -> None:
        """Note that a feed could never be fetched."""
        for source in self._agenda.sources:
            feed = self._register.known(source).get(key)
            if feed is not None:
                useless = replace(feed, standing=FeedStanding.USELESS, judged="it could not be fetched")
                self._register.write(useless)
                self._search.guess(source)

    def _judge(self, feed: FeedRecord, seen: FeedVisit, received: int | None) -> None:
        # Of a few items one is much, and after a long time most are new.
        is_telling = feed.standing is FeedStanding.GOOD and not seen.is_first and seen.items >= MIN_KNOWN
        share = seen.fresh / seen.items if is_telling else 0.0
        self._settle(feed, judge_feed(seen, feed.standing), received, share)

    def _settle(
        self, feed: FeedRecord, judged: Judgement, received: int | None = None, fresh_share: float = 0.0
    ) -> None:
        """Keep what a feed was judged to be, and plan its next visit; what was never read is not visited again.

        `received` is how many bytes it took, None if it did not arrive in full.
        """
        before = feed.standing
        feed = replace(feed, standing=judged.standing, judged=judged.why)
        self._register.write(feed)
        if feed.standing is not FeedStanding.GOOD:
            self._paces.leadership.distrust(feed.source, feed.page)
        if feed.form is None:
            return
        if received is not None or feed.standing is not before:
            usual = self._usual_interval(feed, received or 0, fresh_share)
            self._pace.follow(feed, self._paces.leadership.interval(feed.source, feed.page, usual))
        if before is FeedStanding.GOOD and feed.standing not in {FeedStanding.GOOD, FeedStanding.REDUNDANT}:
            self._replace(feed.source)

    def _replace(self, source: str) -> None:
        """Look again at what a feed that was good has made unnecessary: other feeds, and sections."""
        for feed in list(self._register.known(source).values()):
            if feed.standing is FeedStanding.REDUNDANT:
                self._register.write(replace(feed, standing=FeedStanding.GOOD))
                self._pace.plan(feed)
        self._relieve(source)

    def _relieve(self, source: str) -> None:
        """Visit sections and articles again as often as what the feeds list and tell leaves necessary."""
        good = self._register.good(source)
        self._revisits.note_telling(source, is_told=any(feed.tells_changes for feed in good))
        pages = self._desk.writer.pages([feed.page for feed in good])
        visited = [page.fetch.fetched_at for page in pages.values() if page.fetch.fetched_at is not None]
        self._coverage.set_pace(source, [feed.found_at for feed in good], visited)
