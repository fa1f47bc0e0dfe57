"""When a site publishes: a function of its seed and the day, so that any point in time can be computed directly."""

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache, partial
from hashlib import blake2b
from random import Random

from broadsheet.newsweb._recent_slots import RecentSlots
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb.site import FOUNDED, Section, Site

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
#: A front does not go further back than this.
LOOK_BACK = timedelta(days=300)
MAX_READ = 5
#: Only articles of the last 36 hours can be among the most read.
MAX_READ_SPAN = 36 * HOUR
#: How long a trend in readers' interest lasts.
TREND_HOURS = 12
#: Each section has a hundred article numbers per day; a site has as many for all its sections as it says.
SECTION_STEP = 100

_GOLDEN = 0.6180339887498949
_DAYS_CACHED = 512
_HOURS_CACHED = 1024


class Timeline:
    """The slots of a site, computed day by day on demand; a few hundred days are cached."""

    def __init__(self, site: Site) -> None:
        """Prepare the caches for a site; slots are computed on demand."""
        self.site = site
        self.day = lru_cache(_DAYS_CACHED)(self._day)
        self.section_day = lru_cache(_DAYS_CACHED * max(1, len(site.sections) // 2))(self._section_day)
        self._recent: dict[tuple[tuple[int, ...], bool], RecentSlots] = {}
        self._all = tuple(section.index for section in site.sections)
        self.most_read_of_hour = lru_cache(_HOURS_CACHED)(self._most_read_of_hour)

    def find(self, number: int) -> Slot | None:
        """Return the slot with this number, past or future, or None if there is none."""
        days, rest = divmod(number, self.site.day_step)
        index, ordinal = divmod(rest, SECTION_STEP)
        if index >= len(self.site.sections) or days > (date.max - FOUNDED).days - 2:
            return None
        slots = self.of_section(self.site.sections[index], FOUNDED + timedelta(days=days))
        return slots[ordinal] if ordinal < len(slots) else None

    def of_section(self, section: Section, day: date) -> list[Slot]:
        """Return the slots of a section on one day in the site's time zone, in order."""
        return sorted(
            (slot for slot in self.day(day) if slot.section.index == section.index), key=lambda slot: slot.ordinal
        )

    def before(self, at: datetime, section: Section | None = None) -> Iterator[Slot]:
        """Return all slots published by this time, newest first, back to the site's first day."""
        slots = self._newest_first(at)
        return slots if section is None else (slot for slot in slots if slot.section.index == section.index)

    def between(self, start: datetime, end: datetime) -> list[Slot]:
        """Return the slots published from `start` until before `end`, in order."""
        day = max(start.astimezone(self.site.offset).date(), FOUNDED)
        slots: list[Slot] = []
        while day <= end.astimezone(self.site.offset).date():
            slots.extend(slot for slot in self.day(day) if start <= slot.published < end)
            day += DAY
        return slots

    def most_read(self, at: datetime) -> tuple[Slot, ...]:
        """Return the most read articles as of the last full hour."""
        return self.most_read_of_hour(_hour(at))

    def most_read_since(self, at: datetime) -> datetime:
        """Return the hour at which the most-read box last changed."""
        hour, first = _hour(at), _hour(self.site.founded)
        shown = self.most_read_of_hour(hour)
        while hour > first and self.most_read_of_hour(hour - 1) == shown:
            hour -= 1
        return datetime.fromtimestamp(hour * 3600, UTC)

    def _newest_first(self, at: datetime) -> Iterator[Slot]:
        at = at.astimezone(self.site.offset)
        day = at.date()
        if day >= FOUNDED:
            yield from _until(self.day(day)[::-1], at)
        while (day := day - DAY) >= FOUNDED:
            yield from reversed(self.day(day))

    def _day(self, day: date) -> tuple[Slot, ...]:
        if day < FOUNDED:
            return ()
        slots = [slot for section in self.site.sections for slot in self.section_day(section.index, day)]
        return tuple(sorted(slots, key=lambda slot: (slot.seconds, slot.number)))

    def newest(self, sections: Iterable[Section], at: datetime) -> Iterator[Slot]:
        """Yield the slots of some sections published by this time, newest first, without looking at the others.

        Not more than `LOOK_BACK` days count, those before its death if they are dead.
        """
        indices = tuple(section.index for section in sections)
        seen, number = 0, 32
        while True:
            slots = self.newest_few(indices, at, number)
            yield from slots[seen:]
            if len(slots) < number:
                return
            seen, number = number, 4 * number

    def next_after(self, sections: Iterable[Section], at: datetime) -> datetime:
        """Return a time up to which none of some sections publishes: its next publication, or the next midnight."""
        indices = tuple(section.index for section in sections)
        return self._recent_of(indices, prominent=False).next_after(at, self._last_death(indices))

    def newest_few(self, indices: tuple[int, ...], at: datetime, number: int, prominent: bool = False) -> list[Slot]:
        """Return so many slots of some sections (none: of all) published by this time, newest first."""
        return self._recent_of(indices, prominent).newest(at, number, self._last_death(indices))

    def _recent_of(self, indices: tuple[int, ...], prominent: bool) -> RecentSlots:
        recent = self._recent.get((indices, prominent))
        if recent is None:
            look_back = LOOK_BACK if indices else None
            of_day = partial(self._merge_day, indices or self._all, prominent)
            recent = self._recent[indices, prominent] = RecentSlots(of_day, self.site.offset, FOUNDED, look_back)
        return recent

    def _last_death(self, indices: tuple[int, ...]) -> date | None:
        """Return the day on which the last of some sections died, if all are dead."""
        deaths = [self.site.sections[index].rhythm.dead_since for index in indices]
        known = [death for death in deaths if death]
        return max(known) if known and len(known) == len(deaths) else None

    def _merge_day(self, indices: tuple[int, ...], prominent: bool, day: date) -> list[Slot]:
        """Return the slots of some sections on a day, oldest first."""
        slots = [slot for index in indices for slot in self.section_day(index, day) if slot.prominent or not prominent]
        slots.sort(key=lambda slot: (slot.seconds, slot.number))
        return slots

    def _section_day(self, index: int, day: date) -> tuple[Slot, ...]:
        section = self.site.sections[index]
        if section.rhythm.rests(day):
            return ()
        seed = f"{self.site.seed}/{index}/{day.toordinal()}"
        if self.site.plan is None:
            rng = Random(seed)
            return tuple(self._slots(section, day, section.rhythm.seconds(day, rng), rng))
        # Most sections of a planned site publish nothing on most days, and a random generator takes long to set up.
        number = section.rhythm.number(day, _share(seed))
        if not number:
            return ()
        rng = Random(seed)
        return tuple(self._slots(section, day, section.rhythm.times(number, rng), rng))

    def _slots(self, section: Section, day: date, seconds_of_day: list[int], rng: Random) -> Iterator[Slot]:
        midnight = datetime.combine(day, time(), self.site.offset)
        first = (day - FOUNDED).days * self.site.day_step + section.index * SECTION_STEP
        for ordinal, second in enumerate(seconds_of_day):
            published = midnight + timedelta(seconds=second)
            prominent, appeal = rng.random() < 0.4, rng.random()
            number = first + ordinal
            seconds, spread = published.timestamp(), number * _GOLDEN % 1
            yield Slot(section, day, ordinal, published, prominent, appeal, number, seconds, spread)

    def _most_read_of_hour(self, hour: int) -> tuple[Slot, ...]:
        end = datetime.fromtimestamp(hour * 3600, UTC)
        slots = self.between(end - MAX_READ_SPAN, end)
        return tuple(sorted(slots, key=lambda slot: (-self._readers(slot, hour, end), slot.number))[:MAX_READ])

    def _readers(self, slot: Slot, hour: int, end: datetime) -> float:
        """Return how much a slot is read in an hour: its appeal, halved every 12 hours and modified by a trend."""
        age = (end - slot.published) / (12 * HOUR)
        return (0.2 + slot.appeal) * (0.6 + 0.8 * self._trend(slot, hour)) * float(0.5**age)

    def _trend(self, slot: Slot, hour: int) -> float:
        """Return slowly varying noise: drawn every `TREND_HOURS` and interpolated linearly in between."""
        period, part = divmod(hour, TREND_HOURS)
        # A checksum is random enough here, and a hundred times cheaper than a new random generator.
        old, new = (zlib.crc32(f"{self.site.seed}/{slot.number}/{period + step}".encode()) / 2**32 for step in (0, 1))
        return old + (new - old) * part / TREND_HOURS


def _share(seed: str) -> float:
    """Return a random number from 0 to 1 without a random generator."""
    return int.from_bytes(blake2b(seed.encode(), digest_size=6).digest()) / 2**48


def _until(newest_first: tuple[Slot, ...], at: datetime) -> tuple[Slot, ...]:
    """Return the slots published by this time."""
    return newest_first[bisect_left(newest_first, -at.timestamp(), key=lambda slot: -slot.seconds) :]


def _hour(at: datetime) -> int:
    return int(at.timestamp() // 3600)
