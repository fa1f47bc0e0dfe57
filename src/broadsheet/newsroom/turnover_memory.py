"""What the visits to the fronts of all sources have shown: kept while a crawl runs, and restored when it begins."""

from collections import Counter
from datetime import timedelta

from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_turnover import SourceTurnover

#: What earlier crawls have seen is remembered for so long; what a front shows within so long after it was found was
#: there before.
REMEMBERED, FIRST_VISITS = timedelta(days=7), timedelta(hours=2)


class TurnoverMemory:
    """Knows the turnover of each source, also from earlier crawls."""

    def __init__(self, desk: Desk, agenda: Agenda, register: FrontRegister) -> None:
        """Take the archive, the agenda, and what is known of fronts."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._sources: dict[str, SourceTurnover] = {}

    def __contains__(self, source: str) -> bool:
        """Return whether the turnover of a source was asked for in this crawl."""
        return source in self._sources

    def of(self, source: str) -> SourceTurnover:
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
            if (visited := pages[front].fetch.fetched_at) is None:
                continue
            known = self._register.known(source).get(front)
            if known is not None and known.hours:
                turnover.resume(known, visited)
            else:
                turnover.restore(front, followed, visited, number[front])
        if begin:
            turnover.restore_rhythm(min(begin.values()), self._desk.clock.now(), [each.at for each in found])
        return turnover
