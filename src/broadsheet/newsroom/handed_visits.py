"""Visits that were handed to the crawler and have not been returned."""

from bisect import insort
from collections import Counter
from datetime import datetime
from itertools import count
from typing import NamedTuple

from broadsheet.archive import AgendaEntry


class HandedVisit(NamedTuple):
    """A visit that the crawler has: when it may begin, its number, and the entry that it was asked for."""

    at: datetime
    number: int
    entry: AgendaEntry


class HandedVisits:
    """The visits that the crawler has, by page: several sources may want a front at different times.

    One that was withdrawn is not to begin; if it has begun already, it is answered all the same.
    """

    def __init__(self) -> None:
        """Start with none."""
        #: By page, the soonest first.
        self._visits: dict[str, list[HandedVisit]] = {}
        self._turns: Counter[str] = Counter()
        self._new: list[tuple[HandedVisit, datetime | None]] = []
        self._withdrawn: dict[int, HandedVisit] = {}
        #: Which of the visits to a page was answered and is in hand now.
        self._came: dict[str, int] = {}
        self._numbers = count(1)

    def __contains__(self, page: str) -> bool:
        """Return whether the crawler has a visit to a page."""
        return page in self._visits

    def hand(self, entry: AgendaEntry, not_before: datetime | None) -> None:
        """Hand out a visit, which the crawler must not make before a moment if one is given."""
        visit = HandedVisit(not_before or entry.due, next(self._numbers), entry)
        self._add(visit)
        self._new.append((visit, not_before))

    def take_new(self) -> list[tuple[HandedVisit, datetime | None]]:
        """Return what was handed out since this was last called, with the moments before which not to visit."""
        new, self._new = self._new, []
        return new

    def answered(self, page: str, number: int) -> None:
        """Note that a visit to a page was answered; it may have been withdrawn after it had begun."""
        self.restore(number)
        self._came[page] = number

    def take_back(self, page: str) -> AgendaEntry | None:
        """Note that the crawler has returned a visit to a page, the soonest if none was answered; return its entry."""
        visit = self._in_hand(page)
        self._came.pop(page, None)
        if visit is None:
            return None
        self._remove(visit)
        return visit.entry

    def entry_in_hand(self, page: str) -> AgendaEntry | None:
        """Return the entry of the visit to a page that was answered, or else of the soonest."""
        visit = self._in_hand(page)
        return visit.entry if visit else None

    def serves(self, entry: AgendaEntry) -> bool:
        """Return whether a visit that the crawler has, for whichever source, comes in time for an entry."""
        return any(visit.at <= entry.due for visit in self._visits.get(entry.page, ()))

    def turns(self, source: str) -> int:
        """Return how many visits for a source are neither to its home page nor to a section."""
        return self._turns[source]

    def is_wanted(self, number: int) -> bool:
        """Return whether the crawler is to begin a visit that it was handed."""
        return self._withdrawn.pop(number, None) is None

    def withdraw_all(self, source: str) -> set[str]:
        """Take back all visits of a source that have not begun, and return their pages."""
        own = [visit for visits in self._visits.values() for visit in visits if visit.entry.source == source]
        for visit in own:
            self._withdraw(visit)
        return {visit.entry.page for visit in own}

    def withdraw_later(self, entry: AgendaEntry) -> None:
        """Take back the visits to a page for a source that wants it sooner now."""
        for visit in [visit for visit in self._visits.get(entry.page, ()) if visit.entry.source == entry.source]:
            self._withdraw(visit)

    def restore_all(self, source: str) -> None:
        """Count the visits of a source again that the crawler still has."""
        for visit in [visit for visit in self._withdrawn.values() if visit.entry.source == source]:
            self.restore(visit.number)

    def restore(self, number: int) -> None:
        """Count a visit again as one that the crawler has."""
        visit = self._withdrawn.pop(number, None)
        if visit is not None:
            self._add(visit)

    def _in_hand(self, page: str) -> HandedVisit | None:
        visits = self._visits.get(page)
        if visits is None:
            return None
        number = self._came.get(page)
        for visit in visits:
            if visit.number == number:
                return visit
        return visits[0]

    def _withdraw(self, visit: HandedVisit) -> None:
        self._remove(visit)
        if any(other.number == visit.number for other, _ in self._new):
            self._new = [(other, when) for other, when in self._new if other.number != visit.number]
        else:
            self._withdrawn[visit.number] = visit

    def _add(self, visit: HandedVisit) -> None:
        insort(self._visits.setdefault(visit.entry.page, []), visit, key=_time)
        self._turns[visit.entry.source] += visit.entry.every is None

    def _remove(self, visit: HandedVisit) -> None:
        entry = visit.entry
        self._visits[entry.page].remove(visit)
        if not self._visits[entry.page]:
            del self._visits[entry.page]
        self._turns[entry.source] -= entry.every is None


def _time(visit: HandedVisit) -> datetime:
    return visit.at
