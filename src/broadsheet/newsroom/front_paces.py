"""The pace of each front: when the policy wants it to be visited next, and what else bounds that."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import AgendaEntry, FrontRecord, PageRecord, VisitReason
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.event_recorder import FAILING_AFTER
from broadsheet.newsroom.feed_leadership import BY_FEEDS, FeedLeadership
from broadsheet.newsroom.feed_standing import RARELY
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_schedule import FrontSchedule
from broadsheet.newsroom.front_tally import FrontTally
from broadsheet.newsroom.front_turnover import SourceTurnover
from broadsheet.newsroom.pace_policies import LONGEST, build_pace, depth_of
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.sightings import Sightings
from broadsheet.newsroom.turnover_memory import TurnoverMemory

#: In exploration no section is visited less often than once in so many intervals.
EXPLORED_INTERVALS = 3

#: What sets the pace of a front, beside a policy and feeds.
BY_USER, BY_PHASE, BY_FAILURES = "user", "exploration", "failures"


class FrontPaces:
    """Sets the pace of the fronts of all sources; home pages are visited at least as often as the user said."""

    def __init__(self, desk: Desk, agenda: Agenda, sightings: Sightings, register: FrontRegister) -> None:
        """Take the agenda, who knows which links were new, and what is known of fronts."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._policy = build_pace(desk.settings.pace)
        self._memory = TurnoverMemory(desk, agenda, register)
        self.schedule = FrontSchedule(desk, agenda)
        self.leadership = FeedLeadership(desk, agenda, register, self.schedule, self._memory, self._policy)
        self.tally = FrontTally(desk, agenda, sightings, register, self.schedule, self._memory, self.leadership)
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
        for source, entry in self.schedule.followers(page):
            self.tally.changed(source, page, before, after, since=since, received=received, goes_on=goes_on)
            self._set_pace(source, entry)

    def unchanged(self, page: str) -> None:
        """Count that a front has not changed, and set its pace."""
        for source, entry in self.schedule.followers(page):
            self.tally.unchanged(source, page)
            self._set_pace(source, entry)

    def failed(self, page: str) -> None:
        """Ask less and less often for a section that did not come twice or more.

        The home page is asked for as often as the user said, and shows when its site is back.
        """
        for source, entry in self.schedule.followers(page):
            self._failures[source, page] = failures = self._failures.get((source, page), 0) + 1
            interval = self.schedule.interval(source)
            if entry.reason is VisitReason.HOME:
                self.schedule.plan(entry, interval)
            elif failures > 1:
                last = timedelta(seconds=entry.every or 0.0)
                every = min(2 * last, max(LONGEST, last, interval))
                self._agenda.plan(replace(entry, every=every.total_seconds()))
                self._register.put(replace(self._register.of(source, page), set_by=BY_FAILURES))

    def home_came(self, home: PageRecord) -> None:
        """Visit all sections soon if the source was failing; `home` is its home page as it was before it came."""
        if home.fetch.attempts >= FAILING_AFTER:
            self.schedule.begin_again(home.key)

    def set_depth(self, source: str, page: str, *, is_open: bool) -> None:
        """Let the policy say how many pages of a list are looked at next; one is open if none showed anything known."""
        turnover, record = self._memory.of(source), self._register.of(source, page)
        front = turnover.front(page)
        front.depth, front.is_open = record.depth, is_open
        if (depth := depth_of(self._policy, turnover, page)) != record.depth:
            self._register.put(replace(record, depth=depth))

    def _set_pace(self, source: str, entry: AgendaEntry) -> None:
        interval = self.schedule.interval(source)
        turnover = self.tally.kept_turnover(source)
        front, now = turnover.front(entry.page), self._desk.clock.now()
        every, by = interval, BY_PHASE
        paced = self._policy.next_interval(turnover, entry.page, interval, now)
        # What is new cannot be told at the first visit, and exploration has to see all fronts again and again.
        is_exploring = self.schedule.is_exploring(source)
        longest = EXPLORED_INTERVALS * interval if is_exploring else paced
        if paced < interval or front.hours:
            every, by = (paced, self._desk.settings.pace) if paced <= longest else (longest, BY_PHASE)
        if entry.reason is VisitReason.HOME and every >= interval:
            every, by = interval, BY_USER
        if self.leadership.is_covered(source, entry.page) and not is_exploring:
            every, by = max(every, interval * RARELY), BY_FEEDS
        self.schedule.plan(entry, every)
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
