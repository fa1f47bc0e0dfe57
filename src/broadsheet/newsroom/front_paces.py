"""The pace of each front: what its visits show, and when the policy wants it to be visited next."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import AgendaEntry, VisitReason
from broadsheet.base.domains import registrable_domain
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_standing import RARELY
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.pace_policies import build_pace
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.sightings import Sightings

#: The articles of a front are counted at its first visit, and again after so long: that takes a look at each link.
COUNT_AGAIN = timedelta(days=1)
#: What earlier crawls have seen is remembered for so long; what a front shows within so long after it was found was
#: there before.
REMEMBERED, FIRST_VISITS = timedelta(days=7), timedelta(hours=2)


class FrontPaces:
    """Sets the pace of the sections of all sources; home pages are visited as often as the user said."""

    def __init__(self, desk: Desk, agenda: Agenda, sightings: Sightings) -> None:
        """Take the agenda, and who knows which links were new."""
        self._desk = desk
        self._agenda = agenda
        self._sightings = sightings
        self._policy = build_pace(desk.settings.pace)
        self._sources: dict[str, SourceTurnover] = {}
        #: The fronts whose articles feeds list, by source.
        self._covered: dict[str, AbstractSet[str]] = {}
        self._counted: dict[tuple[str, str], tuple[datetime, int]] = {}

    def changed(self, page: str, before: PageLinks, after: PageLinks) -> None:
        """Count what a front has shown that came anew, and set its pace, for each source that follows it."""
        for source, entry in self._followers(page):
            if self._policy.learns:
                self.turnover(source).see(page, self._compared(source, page, before, after))
            self._set_pace(source, entry)

    def unchanged(self, page: str) -> None:
        """Count that a front has not changed, and set its pace."""
        for source, entry in self._followers(page):
            if self._policy.learns:
                articles, now = self.turnover(source).front(page).articles, self._desk.clock.now()
                visit = FrontVisit(at=now, articles=articles, new=0, first=0, kept=articles, before=articles)
                self.turnover(source).see(page, visit)
            self._set_pace(source, entry)

    def set_covered(self, source: str, fronts: AbstractSet[str]) -> None:
        """Visit those fronts of a source rarely whose articles feeds list; the others at their own pace."""
        before, self._covered[source] = self._covered.get(source, frozenset()), fronts
        every = timedelta(seconds=self._agenda.sources[source].every)
        for front in before ^ fronts:
            entry = self._agenda.planned(front).get(source)
            if entry is not None and entry.reason is VisitReason.SECTION:
                self._plan(entry, every * RARELY if front in fronts else every)

    def _followers(self, page: str) -> list[tuple[str, AgendaEntry]]:
        return [
            (source, entry)
            for source, entry in self._agenda.planned(page).items()
            if entry.reason in {VisitReason.HOME, VisitReason.SECTION} and entry.every is not None
        ]

    def _compared(self, source: str, page: str, before: PageLinks, after: PageLinks) -> FrontVisit:
        old, new = self._on_site(source, before), self._on_site(source, after)
        fresh = self._desk.writer.pages(self._sightings.fresh.get(source, ()))
        first = sum(each.kind == "article" for each in fresh.values())
        listed = self._articles(source, page, new)
        return FrontVisit(
            at=self._desk.clock.now(),
            articles=listed,
            new=max(first, min(listed, len(new - old))) if old else 0,
            first=first if old else 0,
            kept=max(0, listed - len(old - new)) if old else 0,
            before=listed if old else 0,
        )

    def _set_pace(self, source: str, entry: AgendaEntry) -> None:
        least = timedelta(seconds=self._agenda.sources[source].every)
        every = self._next_interval(source, entry.page, least) if self._policy.learns else least
        if entry.reason is VisitReason.SECTION:
            is_covered = entry.page in self._covered.get(source, frozenset())
            self._plan(entry, max(every, least * RARELY) if is_covered else every)

    def _next_interval(self, source: str, page: str, least: timedelta) -> timedelta:
        turnover = self.turnover(source)
        if len(turnover.fronts) > 2 * self._agenda.followed(source):
            turnover.keep(self._agenda.fronts(source))
        front = turnover.front(page)
        if front.hours:
            front.every = self._policy.next_interval(turnover, page, least, self._desk.clock.now())
        else:
            # What is new cannot be told at the first visit.
            front.every = least
        return front.every

    def _plan(self, entry: AgendaEntry, every: timedelta) -> None:
        seconds = every.total_seconds()
        if entry.every is None or entry.every == seconds:
            return
        due = min(entry.due, self._desk.clock.now() + every) if seconds < entry.every else entry.due
        self._agenda.plan(replace(entry, every=seconds, due=due))

    def turnover(self, source: str) -> SourceTurnover:
        """Return what the visits to the fronts of a source have shown."""
        if source not in self._sources:
            self._sources[source] = self._restored(source)
        return self._sources[source]

    def _restored(self, source: str) -> SourceTurnover:
        """Return what earlier crawls have seen, as far as the archive tells which front showed which article first."""
        since, turnover = self._desk.clock.now() - REMEMBERED, SourceTurnover(source)
        fronts = self._agenda.fronts(source)
        members, pages = self._desk.writer.members(source, fronts), self._desk.writer.pages(fronts)
        # What a front showed at its first visit had not come just then.
        begin = {front: max(since, member.first_seen + FIRST_VISITS) for front, member in members.items()}
        found = [
            each
            for each in self._desk.archive.discoveries(source, since)
            if each.at > begin.get(each.found_on, each.at)
        ]
        number = Counter(each.found_on for each in found)
        for front, followed in begin.items():
            if (visited := pages[front].fetch.fetched_at) is not None:
                turnover.restore(front, followed, visited, number[front])
        if begin:
            turnover.restore_rhythm(min(begin.values()), self._desk.clock.now(), [each.at for each in found])
        return turnover

    def _on_site(self, source: str, links: PageLinks) -> AbstractSet[str]:
        domain = registrable_domain(self._agenda.sources[source].url)
        return {links.keys[row] for row in links.on_site(domain)}

    def _articles(self, source: str, page: str, keys: AbstractSet[str]) -> int:
        """Return how many articles a front lists, counted not long ago."""
        now = self._desk.clock.now()
        at, number = self._counted.get((source, page), (None, 0))
        if at is None or now - at >= COUNT_AGAIN:
            number = sum(each.kind == "article" for each in self._desk.writer.pages(keys).values())
            self._counted[source, page] = now, number
        return number
