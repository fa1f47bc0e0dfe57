"""Visits that were handed to the crawler and have not come back."""

from bisect import insort
from collections import Counter
from datetime import datetime

from broadsheet.archive import AgendaEntry


class HandedVisits:
    """The visits that the crawler has, by page: several sources may want a front at different times."""

    def __init__(self) -> None:
        """Start with none."""
        #: Each with its time and the entry that it was asked for, soonest first.
        self._visits: dict[str, list[tuple[datetime, AgendaEntry]]] = {}
        self._turns: Counter[str] = Counter()
        self._new: list[tuple[AgendaEntry, datetime | None]] = []

    def __contains__(self, page: str) -> bool:
        """Return whether the crawler has a visit to a page."""
        return page in self._visits

    def hand(self, entry: AgendaEntry, not_before: datetime | None) -> None:
        """Hand out a visit, which the crawler must not make before a moment if one is given."""
        insort(self._visits.setdefault(entry.page, []), (not_before or entry.due, entry), key=_time)
        self._turns[entry.source] += entry.every is None
        self._new.append((entry, not_before))

    def take_new(self) -> list[tuple[AgendaEntry, datetime | None]]:
        """Return what was handed out since this was last called, with the moments before which not to visit."""
        new, self._new = self._new, []
        return new

    def take_back(self, page: str) -> AgendaEntry | None:
        """Note that the crawler has returned the soonest of the visits to a page, and return its entry."""
        visits = self._visits.get(page)
        if not visits:
            return None
        _, entry = visits.pop(0)
        if not visits:
            del self._visits[page]
        self._turns[entry.source] -= entry.every is None
        return entry

    def soonest(self, page: str) -> AgendaEntry | None:
        """Return the entry that the soonest of the visits to a page was asked for."""
        visits = self._visits.get(page)
        return visits[0][1] if visits else None

    def serves(self, entry: AgendaEntry) -> bool:
        """Return whether a visit that the crawler has, for whichever source, comes in time for an entry."""
        return any(at <= entry.due for at, _ in self._visits.get(entry.page, ()))

    def turns(self, source: str) -> int:
        """Return how many visits for a source are neither to its home page nor to a section."""
        return self._turns[source]


def _time(visit: tuple[datetime, AgendaEntry]) -> datetime:
    return visit[0]
