"""The visits to fronts that the agenda holds: planned sooner or later, or all of a source at once."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from broadsheet.archive import AgendaEntry, Phase, VisitReason
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk


class FrontSchedule:
    """Plans the visits to the fronts of all sources."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take the agenda, and the desk with the clock."""
        self._desk = desk
        self._agenda = agenda

    def interval(self, source: str) -> timedelta:
        """Return how often the user wants the home page of a source to be visited."""
        return timedelta(seconds=self._agenda.sources[source].every)

    def is_exploring(self, source: str) -> bool:
        """Return whether the sections of a source are not yet known and settled."""
        return self._agenda.sources[source].phase.phase is Phase.EXPLORATION

    def followers(self, page: str) -> list[tuple[str, AgendaEntry]]:
        """Return the sources that follow a page as a front, with their planned visits."""
        return [
            (source, entry)
            for source, entry in self._agenda.planned(page).items()
            if entry.reason in {VisitReason.HOME, VisitReason.SECTION} and entry.every is not None
        ]

    def section(self, source: str, page: str) -> AgendaEntry | None:
        """Return the planned visit to a section of a source; None if it is not followed as one."""
        entry = self._agenda.planned(page).get(source)
        return entry if entry is not None and entry.reason is VisitReason.SECTION else None

    def plan(self, entry: AgendaEntry, every: timedelta) -> None:
        """Set how often a front is visited; the next visit is moved only if it comes sooner."""
        seconds = every.total_seconds()
        if entry.every is None or entry.every == seconds:
            return
        due = min(entry.due, self._desk.clock.now() + every) if seconds < entry.every else entry.due
        self._agenda.plan(replace(entry, every=seconds, due=due))

    def begin_again(self, source: str) -> None:
        """Visit all sections of a source soon, and as often as the home page until more is known."""
        self.visit_soon(source, self._agenda.fronts(source))

    def visit_soon(self, source: str, fronts: Iterable[str]) -> None:
        """Visit these sections of a source within an interval, and as often as the home page until more is known."""
        interval = self._agenda.sources[source].every
        soon = self._desk.clock.now() + timedelta(seconds=interval)
        for front in sorted(fronts):
            entry = self.section(source, front)
            if entry is not None:
                self._agenda.plan(replace(entry, every=interval, due=min(entry.due, soon)))
