"""What each visit to a front or a feed shows, counted for every source that follows it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from broadsheet.archive import PageRecord
from broadsheet.base.moments import to_utc
from broadsheet.base.records import Article
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.discovery_lags import DiscoveryLags
from broadsheet.newsroom.event_recorder import EventRecorder
from broadsheet.newsroom.feed_leadership import FeedLeadership
from broadsheet.newsroom.front_comparison import FrontComparison
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_schedule import FrontSchedule
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.sightings import Sightings
from broadsheet.newsroom.turnover_memory import TurnoverMemory

#: A visit that finds less than this share of the links of the one before has found an empty or broken page.
MIN_LINKS = 0.2
#: If the home page shows so many articles at once, and so many times what is expected, those sections are visited
#: soon that ever brought any, or all if none did.
BURST, BURST_FACTOR = 20, 4.0


class FeedItems(NamedTuple):
    """The items of a feed on the site of its source: now, before, and those that nothing had shown."""

    listed: AbstractSet[str]
    before: AbstractSet[str]
    found: Sequence[str]
    #: When it was last visited, be it by an earlier crawl.
    visited: datetime | None
    #: The bytes that it took, and whether they are few enough for a visit as often as to the home page; None if it has
    #: not changed.
    received: int
    is_cheap: bool | None


class FrontTally:
    """Counts what visits show of the articles of each source."""

    def __init__(  # noqa: PLR0913, PLR0917 - what visits are compared with, and what follows from them
        self,
        desk: Desk,
        agenda: Agenda,
        sightings: Sightings,
        register: FrontRegister,
        schedule: FrontSchedule,
        memory: TurnoverMemory,
        leadership: FeedLeadership,
    ) -> None:
        """Take what visits are compared with, and what plans the visits that follow from them."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._schedule = schedule
        self._memory = memory
        self._leadership = leadership
        self._events = EventRecorder(desk)
        self._comparison = FrontComparison(desk, sightings)
        self._lags = DiscoveryLags()

    def changed(  # noqa: PLR0913 - what was seen, and when
        self,
        source: str,
        page: str,
        before: PageLinks,
        after: PageLinks,
        *,
        since: datetime | None,
        received: int,
        goes_on: bool,
    ) -> None:
        """Count what a front has shown that came anew `since` the visit before, unless it is nearly empty."""
        old, new = self._on_site(source, before), self._on_site(source, after)
        if len(new) >= MIN_LINKS * len(old):
            visit = self._comparison.changed(source, page, old, new)
            visit = replace(visit, received=received, is_gap=visit.is_gap and not goes_on)
            self._see(source, page, visit, since)

    def unchanged(self, source: str, page: str) -> None:
        """Count that a front has not changed."""
        listed = self._on_site(source, self._desk.links.of(page))
        self._see(source, page, self._comparison.unchanged(source, page, listed))

    def listed(self, source: str, feed: str, items: FeedItems) -> None:
        """Count what a feed lists, to compare it with what fronts show."""
        turnover = self._memory.of(source)
        is_first, listed = turnover.front(feed).visited is None, items.listed
        visit = FrontVisit(
            at=self._desk.clock.now(),
            articles=len(listed),
            new=0 if is_first else len(listed - items.before),
            first=0 if is_first else len(items.found),
            kept=len(listed & items.before),
            before=len(items.before),
            listed=listed,
            found=items.found,
            received=items.received,
            is_file=items.is_cheap if items.is_cheap is not None else feed in turnover.leading.files,
            is_gap=bool(items.before and listed) and not listed & items.before,
        )
        self._see(source, feed, visit, items.visited)
        if not visit.is_file:
            self._leadership.distrust(source, feed)

    def archived(self, source: str, page: PageRecord, article: Article) -> None:
        """Do not count an article as one that came just now if it is old: some fronts show old ones, no feed does."""
        if article.published is None or page.first_seen is None:
            return
        if not self._lags.is_late(source, page.first_seen - to_utc(article.published)):
            return
        turnover = self._memory.of(source)
        turnover.leading.forget((page.key,))
        member = self._desk.writer.members(source, (page.key,)).get(page.key)
        front = turnover.fronts.get(member.found_on) if member else None
        if front is not None:
            front.first, front.new = max(0.0, front.first - 1), max(0.0, front.new - 1)

    def no_article(self, page: str) -> None:
        """Do not compare feeds by a page that looked like an article, or that a feed listed, and is none."""
        for source in self._agenda.planned(page):
            if source in self._memory:
                self._memory.of(source).leading.forget((page,))

    def add_gap(self, source: str, page: str, since: datetime, until: datetime) -> None:
        """Record that nothing of one visit to a front was left at the next, on no page of its list that was visited."""
        front = self._memory.of(source).front(page)
        front.add_gap(until)
        self._register.put(replace(self._register.of(source, page), gaps=front.gaps, last_gap=front.last_gap))
        self._record_gap(source, page, since, until)

    def kept_turnover(self, source: str) -> SourceTurnover:
        """Return what is known of the fronts of a source, without those that are followed no more."""
        turnover = self._memory.of(source)
        if len(turnover.fronts) > 2 * self._agenda.followed(source):
            turnover.keep(self._agenda.fronts(source))
            self._comparison.keep(source, turnover.fronts)
        return turnover

    def _see(self, source: str, page: str, visit: FrontVisit, since: datetime | None = None) -> None:
        turnover = self._memory.of(source)
        if visit.is_gap and visit.first <= visit.articles / 2 and self._leadership.is_shown_elsewhere(source, page):
            visit = replace(visit, is_gap=False)
        if visit.is_gap and since is not None:
            self._record_gap(source, page, since, visit.at)
        is_burst = page == source and visit.first >= BURST and visit.first >= BURST_FACTOR * _expected(turnover, visit)
        leader = turnover.leading.page
        turnover.see(page, visit)
        if is_burst:
            # What never brought anything while others did keeps its pace.
            sections = set(self._agenda.fronts(source)) - set(self._agenda.homes(source))
            self._schedule.visit_soon(source, {page for page in sections if turnover.front(page).new} or sections)
        self._leadership.see(source, page, leader)

    def _record_gap(self, source: str, page: str, since: datetime, until: datetime) -> None:
        record = self._desk.record(page)
        if record is not None:
            self._events.gap(source, record, since, until)

    def _on_site(self, source: str, links: PageLinks) -> AbstractSet[str]:
        domain = self._agenda.domain(source)
        return {links.keys[row] for row in links.on_site(domain)}


def _expected(turnover: SourceTurnover, visit: FrontVisit) -> float:
    """Return how many articles a visit to the home page should find that nothing else has shown."""
    last = turnover.front(turnover.home).visited or visit.at
    return turnover.rate(turnover.home) * turnover.rhythm.expected_hours(last, visit.at)
