"""The pace of each front: what its visits show, and when the policy wants it to be visited next."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from broadsheet.archive import AgendaEntry, FrontRecord, PageRecord, Phase, VisitReason
from broadsheet.base.moments import to_utc
from broadsheet.base.records import Article
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.discovery_lags import DiscoveryLags
from broadsheet.newsroom.event_recorder import FAILING_AFTER, EventRecorder
from broadsheet.newsroom.feed_standing import RARELY
from broadsheet.newsroom.front_comparison import FrontComparison
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.pace_policies import LONGEST, LeaderPolicy, build_pace, depth_of
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.sightings import Sightings
from broadsheet.newsroom.turnover_memory import TurnoverMemory

#: A visit that finds less than this share of the links of the one before has found an empty or broken page.
LEAST_LINKS = 0.2
#: In exploration no section is visited less often than once in so many intervals.
EXPLORED_INTERVALS = 3
#: If the home page shows so many articles at once, and so many times what is expected, those sections are visited
#: soon that ever brought any, or all if none did.
BURST, BURST_FACTOR = 20, 4.0

#: What sets the pace of a front, beside a policy.
BY_USER, BY_PHASE, BY_FEEDS, BY_FAILURES = "user", "exploration", "feeds", "failures"


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


class FrontPaces:
    """Sets the pace of the fronts of all sources; home pages are visited at least as often as the user said."""

    def __init__(self, desk: Desk, agenda: Agenda, sightings: Sightings, register: FrontRegister) -> None:
        """Take the agenda, who knows which links were new, and what is known of fronts."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._policy = build_pace(desk.settings.pace)
        self._events = EventRecorder(desk)
        self._comparison = FrontComparison(desk, sightings)
        self._memory = TurnoverMemory(desk, agenda, register)
        self._lags = DiscoveryLags()
        #: The fronts whose articles feeds list, by source.
        self._covered: dict[str, AbstractSet[str]] = {}
        #: How often a front has not come in a row.
        self._failures: dict[tuple[str, str], int] = {}

    def changed(  # noqa: PLR0913 - what was seen, and when
        self,
        page: str,
        before: PageLinks,
        after: PageLinks,
        *,
        since: datetime | None = None,
        received: int = 0,
        goes_on: bool = False,
    ) -> None:
        """Count what a front has shown that came anew `since` the visit before, for each source that follows it.

        Then set its pace. It took `received` bytes. If its list `goes_on`, its further pages show what has left its
        first page.
        """
        for source, entry in self._followers(page):
            old, new = self._on_site(source, before), self._on_site(source, after)
            if len(new) >= LEAST_LINKS * len(old):
                visit = self._comparison.changed(source, page, old, new)
                visit = replace(visit, received=received, is_gap=visit.is_gap and not goes_on)
                self._see(source, page, visit, since)
            self._set_pace(source, entry)

    def unchanged(self, page: str) -> None:
        """Count that a front has not changed, and set its pace."""
        for source, entry in self._followers(page):
            listed = self._on_site(source, self._desk.links.of(page))
            self._see(source, page, self._comparison.unchanged(source, page, listed))
            self._set_pace(source, entry)

    def listed(self, source: str, feed: str, items: FeedItems) -> None:
        """Count what a feed lists, to compare it with what fronts show."""
        turnover = self.turnover(source)
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
            self.distrust(source, feed)

    def distrust(self, source: str, feed: str) -> None:
        """Let no feed lead that is not good, or too large to be visited often."""
        leading = self.turnover(source).leading
        is_lost = leading.page == feed
        leading.distrust(feed)
        if is_lost:
            self._lose_leader(source)

    def _lose_leader(self, source: str) -> None:
        """Visit sections soon that were left to a feed, and learn anew what each front shows first."""
        self.turnover(source).learn_anew()
        self.begin_again(source)

    def feed_interval(self, source: str, feed: str, every: timedelta) -> timedelta:
        """Return when to visit a feed again; sooner if it lists all that comes, and the policy says so."""
        turnover, interval = self.turnover(source), timedelta(seconds=self._agenda.sources[source].every)
        if turnover.leading.page != feed or every > interval:
            return every
        return min(every, self._policy.next_interval(turnover, feed, interval, self._desk.clock.now()))

    def failed(self, page: str) -> None:
        """Ask less and less often for a section that did not come twice or more.

        The home page is asked for as often as the user said, and shows when its site is back.
        """
        for source, entry in self._followers(page):
            self._failures[source, page] = failures = self._failures.get((source, page), 0) + 1
            interval = timedelta(seconds=self._agenda.sources[source].every)
            if entry.reason is VisitReason.HOME:
                self._plan(entry, interval)
            elif failures > 1:
                last = timedelta(seconds=entry.every or 0.0)
                every = min(2 * last, max(LONGEST, last, interval))
                self._agenda.plan(replace(entry, every=every.total_seconds()))
                self._register.put(replace(self._register.of(source, page), set_by=BY_FAILURES))

    def home_came(self, home: PageRecord) -> None:
        """Visit all sections soon if the source was failing; `home` is its home page as it was before it came."""
        if home.fetch.attempts >= FAILING_AFTER:
            self.begin_again(home.key)

    def begin_again(self, source: str) -> None:
        """Visit all sections of a source soon, and as often as the home page until more is known."""
        self._visit_soon(source, self._agenda.fronts(source))

    def _visit_soon(self, source: str, fronts: Iterable[str]) -> None:
        interval = self._agenda.sources[source].every
        soon = self._desk.clock.now() + timedelta(seconds=interval)
        for front in sorted(fronts):
            entry = self._agenda.planned(front).get(source)
            if entry is not None and entry.reason is VisitReason.SECTION:
                self._agenda.plan(replace(entry, every=interval, due=min(entry.due, soon)))

    def archived(self, source: str, page: PageRecord, article: Article) -> None:
        """Do not count an article as one that came just now if it is old: some fronts show old ones, no feed does."""
        if article.published is None or page.first_seen is None:
            return
        if not self._lags.is_late(source, page.first_seen - to_utc(article.published)):
            return
        turnover = self.turnover(source)
        turnover.leading.forget((page.key,))
        member = self._desk.writer.members(source, (page.key,)).get(page.key)
        front = turnover.fronts.get(member.found_on) if member else None
        if front is not None:
            front.first, front.new = max(0.0, front.first - 1), max(0.0, front.new - 1)

    def no_article(self, page: str) -> None:
        """Do not compare feeds by a page that looked like an article, or that a feed listed, and is none."""
        for source in self._agenda.planned(page):
            if source in self._memory:
                self.turnover(source).leading.forget((page,))

    def set_covered(self, source: str, fronts: AbstractSet[str]) -> None:
        """Visit those fronts of a source rarely whose articles feeds list; the others at their own pace.

        Exploration has to see all fronts again and again, so what feeds list counts from its end on.
        """
        before, self._covered[source] = self._covered.get(source, frozenset()), fronts
        if self._is_exploring(source):
            return
        every = timedelta(seconds=self._agenda.sources[source].every)
        for front in before ^ fronts:
            entry = self._agenda.planned(front).get(source)
            if entry is not None and entry.reason is VisitReason.SECTION:
                self._plan(entry, every * RARELY if front in fronts else every)
                by = BY_FEEDS if front in fronts else self._desk.settings.pace
                self._register.put(replace(self._register.of(source, front), set_by=by))

    def _is_exploring(self, source: str) -> bool:
        return self._agenda.sources[source].phase.phase is Phase.EXPLORATION

    def _followers(self, page: str) -> list[tuple[str, AgendaEntry]]:
        return [
            (source, entry)
            for source, entry in self._agenda.planned(page).items()
            if entry.reason in {VisitReason.HOME, VisitReason.SECTION} and entry.every is not None
        ]

    def is_covered(self, source: str, page: str) -> bool:
        """Return whether another page, a feed, lists what a front shows: little is lost if its list is replaced."""
        leader = self.turnover(source).leading.page
        return page in self._covered.get(source, frozenset()) or leader not in {None, page}

    def set_depth(self, source: str, page: str, *, is_open: bool) -> None:
        """Let the policy say how many pages of a list are looked at next; one is open if none showed anything known."""
        turnover, record = self.turnover(source), self._register.of(source, page)
        front = turnover.front(page)
        front.depth, front.is_open = record.depth, is_open
        if (depth := depth_of(self._policy, turnover, page)) != record.depth:
            self._register.put(replace(record, depth=depth))

    def add_gap(self, source: str, page: str, since: datetime, until: datetime) -> None:
        """Record that nothing of one visit to a front was left at the next, on no page of its list that was visited."""
        front = self.turnover(source).front(page)
        front.add_gap(until)
        self._register.put(replace(self._register.of(source, page), gaps=front.gaps, last_gap=front.last_gap))
        self._record_gap(source, page, since, until)

    def _record_gap(self, source: str, page: str, since: datetime, until: datetime) -> None:
        record = self._desk.record(page)
        if record is not None:
            self._events.gap(source, record, since, until)

    def _see(self, source: str, page: str, visit: FrontVisit, since: datetime | None = None) -> None:
        turnover = self.turnover(source)
        if visit.is_gap and visit.first <= visit.articles / 2 and self.is_covered(source, page):
            visit = replace(visit, is_gap=False)
        if visit.is_gap and since is not None:
            self._record_gap(source, page, since, visit.at)
        is_burst = page == source and visit.first >= BURST and visit.first >= BURST_FACTOR * _expected(turnover, visit)
        leader = turnover.leading.page
        turnover.see(page, visit)
        if is_burst:
            # What never brought anything while others did keeps its pace.
            sections = set(self._agenda.fronts(source)) - set(self._agenda.homes(source))
            self._visit_soon(source, {page for page in sections if turnover.front(page).new} or sections)
        if leader is not None and turnover.leading.page is None:
            self._lose_leader(source)
        elif turnover.leading.page != leader and isinstance(self._policy, LeaderPolicy):
            self._follow_leader(source, page)

    def _follow_leader(self, source: str, visited: str) -> None:
        """Plan anew what was planned before this feed led: its own next visit sooner, those of sections later.

        What was visited just now is planned anyway.
        """
        turnover, record = self.turnover(source), self._agenda.sources[source]
        interval, pages = timedelta(seconds=record.every), {*self._agenda.fronts(source), *turnover.leading.files}
        for page in sorted(pages - {source, visited}):
            entry, front = self._agenda.planned(page).get(source), turnover.front(page)
            if entry is None or entry.every is None or front.visited is None:
                continue
            every = self._policy.next_interval(turnover, page, interval, front.visited)
            due = front.visited + every
            if page == turnover.leading.page:
                self._agenda.plan(replace(entry, due=min(due, entry.due)))
            elif (
                entry.reason is VisitReason.SECTION and due > entry.due and record.phase.phase is not Phase.EXPLORATION
            ):
                self._agenda.plan(replace(entry, every=every.total_seconds(), due=due))
                front.every = every

    def _set_pace(self, source: str, entry: AgendaEntry) -> None:
        interval = timedelta(seconds=self._agenda.sources[source].every)
        turnover = self._kept_turnover(source)
        front, now = turnover.front(entry.page), self._desk.clock.now()
        every, by = interval, BY_PHASE
        paced = self._policy.next_interval(turnover, entry.page, interval, now)
        # What is new cannot be told at the first visit, and exploration has to see all fronts again and again.
        is_exploring = self._is_exploring(source)
        longest = EXPLORED_INTERVALS * interval if is_exploring else paced
        if paced < interval or front.hours:
            every, by = (paced, self._desk.settings.pace) if paced <= longest else (longest, BY_PHASE)
        if entry.reason is VisitReason.HOME and every >= interval:
            every, by = interval, BY_USER
        if entry.page in self._covered.get(source, frozenset()) and not is_exploring:
            every, by = max(every, interval * RARELY), BY_FEEDS
        self._plan(entry, every)
        front.every = every
        self._failures.pop((source, entry.page), None)
        self._register.put(self._record(source, entry.page, turnover, by))

    def _record(self, source: str, page: str, turnover: SourceTurnover, by: str) -> FrontRecord:
        front, now = turnover.front(page), self._desk.clock.now()
        return replace(
            self._register.of(source, page),
            articles=front.articles,
            hours=round(front.hours, 3),
            new=round(front.new, 3),
            first=round(front.first, 3),
            stays=tuple(round(stay, 2) for stay in front.stays),
            last_new=front.last_new,
            set_by=by,
            expected_missed=round(turnover.missed_a_day(page, now, front.every), 3) if front.hours else None,
            gaps=front.gaps,
            last_gap=front.last_gap,
            left_at=None,
            left_because="",
        )

    def _plan(self, entry: AgendaEntry, every: timedelta) -> None:
        seconds = every.total_seconds()
        if entry.every is None or entry.every == seconds:
            return
        due = min(entry.due, self._desk.clock.now() + every) if seconds < entry.every else entry.due
        self._agenda.plan(replace(entry, every=seconds, due=due))

    def turnover(self, source: str) -> SourceTurnover:
        """Return what the visits to the fronts of a source have shown."""
        return self._memory.of(source)

    def _kept_turnover(self, source: str) -> SourceTurnover:
        """Return what is known of the fronts of a source, without those that are followed no more."""
        turnover = self.turnover(source)
        if len(turnover.fronts) > 2 * self._agenda.followed(source):
            turnover.keep(self._agenda.fronts(source))
            self._comparison.keep(source, turnover.fronts)
        return turnover

    def _on_site(self, source: str, links: PageLinks) -> AbstractSet[str]:
        domain = self._agenda.domain(source)
        return {links.keys[row] for row in links.on_site(domain)}


def _expected(turnover: SourceTurnover, visit: FrontVisit) -> float:
    """Return how many articles a visit to the home page should find that nothing else has shown."""
    last = turnover.front(turnover.home).visited or visit.at
    return turnover.rate(turnover.home) * turnover.rhythm.expected_hours(last, visit.at)
