"""The slots of some sections around a time, kept in order so that the newest ones are found by bisection."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone

from broadsheet.newsweb._slots import Slot

#: A run of more days than this is begun anew, and so is one that would have to jump so many days ahead.
MAX_DAYS, MAX_AHEAD = 400, 14

_DAY = timedelta(days=1)


@dataclass(slots=True)
class SlotRun:
    """All slots of the days from `first` to `last`, oldest first, and their times as numbers."""

    first: date
    last: date
    slots: list[Slot] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class RecentSlots:
    """Finds the newest slots of some sections; how it was asked before makes no difference to an answer."""

    def __init__(
        self, of_day: Callable[[date], list[Slot]], zone: timezone, first: date, look_back: timedelta | None
    ) -> None:
        """Take what gives the slots of a day, oldest first, and how far to look: not before `first` or `look_back`."""
        self._of_day = of_day
        self._zone = zone
        self._first = first
        self._look_back = look_back
        self._run: SlotRun | None = None

    def newest(self, at: datetime, number: int, since: date | None = None) -> list[Slot]:
        """Return so many slots published by a time, newest first, looking back from it or from an earlier day."""
        today = at.astimezone(self._zone).date()
        start = min(today, since or today)
        if start < self._first:
            return []
        earliest = max(self._first, start - self._look_back) if self._look_back else self._first
        run = self._reach(start)
        end = bisect_right(run.seconds, at.timestamp())
        while end < number and run.first > earliest:
            end += self._extend_back(run, max(earliest, run.first - _stride(run) * _DAY))
        begin = max(0, end - number)
        if run.first < earliest:
            begin = max(begin, bisect_left(run.seconds, self._midnight(earliest).timestamp()))
        return run.slots[begin:end][::-1]

    def next_after(self, at: datetime, since: date | None = None) -> datetime:
        """Return when the next slot of the same day is published, or the next midnight; none comes after `since`."""
        today = at.astimezone(self._zone).date()
        if self._first <= today <= (since or today):
            run = self._reach(today)
            place = bisect_right(run.seconds, at.timestamp())
            if place < len(run.slots) and run.slots[place].day == today:
                return run.slots[place].published
        return self._midnight(today + _DAY)

    def _reach(self, day: date) -> SlotRun:
        """Return the run, begun or continued so that it has this day."""
        run = self._run
        if run is None or not run.first <= day <= run.last + MAX_AHEAD * _DAY or (day - run.first).days > MAX_DAYS:
            run = self._run = SlotRun(day, day - _DAY)
        while run.last < day:
            run.last += _DAY
            slots = self._of_day(run.last)
            run.slots += slots
            run.seconds += [slot.seconds for slot in slots]
        return run

    def _extend_back(self, run: SlotRun, first: date) -> int:
        """Put the days from `first` before a run, and return how many slots came."""
        days = [first + number * _DAY for number in range((run.first - first).days)]
        slots = [slot for day in days for slot in self._of_day(day)]
        run.first = first
        run.slots[:0] = slots
        run.seconds[:0] = [slot.seconds for slot in slots]
        return len(slots)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._zone)


def _stride(run: SlotRun) -> int:
    """Return how many days to look back at once: as many as the run has, but not whole years in one step."""
    return min(30, (run.last - run.first).days + 1)
