"""The leadership of feeds over fronts: what a feed lists soonest need not be looked for on fronts as often."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import timedelta

from broadsheet.archive import VisitReason
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_standing import RARELY
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_schedule import FrontSchedule
from broadsheet.newsroom.pace_policies import LeaderPolicy, PacePolicy
from broadsheet.newsroom.turnover_memory import TurnoverMemory

#: What sets the pace of a front whose articles feeds list.
BY_FEEDS = "feeds"


class FeedLeadership:
    """Visits fronts less often for feeds that list what they show, and as before when such a feed is lost."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is known, and what is planned
        self,
        desk: Desk,
        agenda: Agenda,
        register: FrontRegister,
        schedule: FrontSchedule,
        memory: TurnoverMemory,
        policy: PacePolicy,
    ) -> None:
        """Take what is known of fronts, the plans for them, and the policy, which may leave fronts to a feed."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._schedule = schedule
        self._memory = memory
        self._policy = policy
        #: The fronts whose articles feeds list, by source.
        self._covered: dict[str, AbstractSet[str]] = {}

    def is_covered(self, source: str, page: str) -> bool:
        """Return whether the feeds of a source list the articles of a front."""
        return page in self._covered.get(source, frozenset())

    def is_shown_elsewhere(self, source: str, page: str) -> bool:
        """Return whether another page, a feed, lists what a front shows: little is lost if its list is replaced."""
        leader = self._memory.of(source).leading.page
        return self.is_covered(source, page) or leader not in {None, page}

    def set_covered(self, source: str, fronts: AbstractSet[str]) -> None:
        """Visit those fronts of a source rarely whose articles feeds list; the others at their own pace.

        Exploration has to see all fronts again and again, so what feeds list counts from its end on.
        """
        before, self._covered[source] = self._covered.get(source, frozenset()), fronts
        if self._schedule.is_exploring(source):
            return
        every = self._schedule.interval(source)
        for front in before ^ fronts:
            entry = self._schedule.section(source, front)
            if entry is not None:
                self._schedule.plan(entry, every * RARELY if front in fronts else every)
                by = BY_FEEDS if front in fronts else self._desk.settings.pace
                self._register.put(replace(self._register.of(source, front), set_by=by))

    def interval(self, source: str, feed: str, every: timedelta) -> timedelta:
        """Return when to visit a feed again; sooner if it lists all that comes, and the policy says so."""
        turnover, interval = self._memory.of(source), self._schedule.interval(source)
        if turnover.leading.page != feed or every > interval:
            return every
        return min(every, self._policy.next_interval(turnover, feed, interval, self._desk.clock.now()))

    def distrust(self, source: str, feed: str) -> None:
        """Let no feed lead that is not good, or too large to be visited often."""
        leading = self._memory.of(source).leading
        is_lost = leading.page == feed
        leading.distrust(feed)
        if is_lost:
            self._lose(source)

    def see(self, source: str, visited: str, before: str | None) -> None:
        """Act on a visit after which another feed leads than `before`, or none."""
        leader = self._memory.of(source).leading.page
        if before is not None and leader is None:
            self._lose(source)
        elif leader != before and isinstance(self._policy, LeaderPolicy):
            self._follow(source, visited)

    def _lose(self, source: str) -> None:
        """Visit sections soon that were left to a feed, and learn anew what each front shows first."""
        self._memory.of(source).learn_anew()
        self._schedule.begin_again(source)

    def _follow(self, source: str, visited: str) -> None:
        """Plan anew what was planned before this feed led: its own next visit sooner, those of sections later.

        What was visited just now is planned anyway.
        """
        turnover, interval = self._memory.of(source), self._schedule.interval(source)
        pages = {*self._agenda.fronts(source), *turnover.leading.files}
        for page in sorted(pages - {source, visited}):
            entry, front = self._agenda.planned(page).get(source), turnover.front(page)
            if entry is None or entry.every is None or front.visited is None:
                continue
            every = self._policy.next_interval(turnover, page, interval, front.visited)
            due = front.visited + every
            if page == turnover.leading.page:
                self._agenda.plan(replace(entry, due=min(due, entry.due)))
            elif entry.reason is VisitReason.SECTION and due > entry.due and not self._schedule.is_exploring(source):
                self._agenda.plan(replace(entry, every=every.total_seconds(), due=due))
                front.every = every
