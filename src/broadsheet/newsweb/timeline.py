"""What a site publishes when: a function of its seed and the day, so that any moment can be asked for directly."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from random import Random

from broadsheet.newsweb.site import FOUNDED, Section, Site

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MOST_READ = 5
#: Older articles are no longer among the most read.
READ_FOR = 36 * HOUR
#: How long it takes for readers to like something else.
FASHION_HOURS = 12
#: A day of one section has a hundred numbers, a day of the site a thousand.
SECTION_STEP, DAY_STEP = 100, 1000

_DAYS_KEPT = 512
_HOURS_KEPT = 1024


@dataclass(frozen=True, slots=True)
class Slot:
    """One article's place in time, before a word of it is written; prominent ones stand at the top of the home page."""

    # A section is full of words, which would make every look into a cache slow.
    section: Section = field(hash=False)
    day: date
    ordinal: int
    published: datetime
    prominent: bool
    appeal: float

    @property
    def number(self) -> int:
        """What tells the article from all others of its site."""
        return (self.day - FOUNDED).days * DAY_STEP + self.section.place * SECTION_STEP + self.ordinal


class Timeline:
    """The slots of a site, computed day by day when they are asked for; the last few hundred days are kept."""

    def __init__(self, site: Site) -> None:
        """Take the site; nothing is computed yet."""
        self.site = site
        self.day = lru_cache(_DAYS_KEPT)(self._day)
        self.most_read_of_hour = lru_cache(_HOURS_KEPT)(self._most_read_of_hour)

    def find(self, number: int) -> Slot | None:
        """Return the slot of a number, if there is or will be one."""
        days, rest = divmod(number, DAY_STEP)
        place, ordinal = divmod(rest, SECTION_STEP)
        if place >= len(self.site.sections) or days > (date.max - FOUNDED).days - 2:
            return None
        slots = self.of_section(self.site.sections[place], FOUNDED + timedelta(days=days))
        return slots[ordinal] if ordinal < len(slots) else None

    def of_section(self, section: Section, day: date) -> list[Slot]:
        """Return what a section publishes on a day of the site's own calendar, in order."""
        return sorted(
            (slot for slot in self.day(day) if slot.section.place == section.place), key=lambda slot: slot.ordinal
        )

    def before(self, at: datetime, section: Section | None = None) -> Iterator[Slot]:
        """Give all that was published by a moment, newest first, back to the site's first day."""
        for slot in self._back_from(at):
            if section is None or slot.section.place == section.place:
                yield slot

    def between(self, start: datetime, end: datetime) -> list[Slot]:
        """Return what is published from one moment until before another, in order."""
        day = max(start.astimezone(self.site.offset).date(), FOUNDED)
        found: list[Slot] = []
        while day <= end.astimezone(self.site.offset).date():
            found.extend(slot for slot in self.day(day) if start <= slot.published < end)
            day += DAY
        return found

    def most_read(self, at: datetime) -> tuple[Slot, ...]:
        """Return the most read articles, as they were counted at the last full hour."""
        return self.most_read_of_hour(_hour(at))

    def most_read_since(self, at: datetime) -> datetime:
        """Return the hour at which the most-read box became what it is."""
        hour, first = _hour(at), _hour(self.site.founded)
        shown = self.most_read_of_hour(hour)
        while hour > first and self.most_read_of_hour(hour - 1) == shown:
            hour -= 1
        return datetime.fromtimestamp(hour * 3600, UTC)

    def _back_from(self, at: datetime) -> Iterator[Slot]:
        day = at.astimezone(self.site.offset).date()
        while day >= FOUNDED:
            for slot in reversed(self.day(day)):
                if slot.published <= at:
                    yield slot
            day -= DAY

    def _day(self, day: date) -> tuple[Slot, ...]:
        if day < FOUNDED:
            return ()
        slots = [slot for section in self.site.sections for slot in self._plan(section, day)]
        return tuple(sorted(slots, key=lambda slot: (slot.published, slot.number)))

    def _plan(self, section: Section, day: date) -> Iterator[Slot]:
        rng = Random(f"{self.site.seed}/{section.place}/{day.toordinal()}")
        midnight = datetime.combine(day, time(), self.site.offset)
        for ordinal, second in enumerate(section.rhythm.seconds(day, rng)):
            published = midnight + timedelta(seconds=second)
            yield Slot(section, day, ordinal, published, rng.random() < 0.4, rng.random())

    def _most_read_of_hour(self, hour: int) -> tuple[Slot, ...]:
        end = datetime.fromtimestamp(hour * 3600, UTC)
        slots = self.between(end - READ_FOR, end)
        return tuple(sorted(slots, key=lambda slot: (-self._readers(slot, hour, end), slot.number))[:MOST_READ])

    def _readers(self, slot: Slot, hour: int, end: datetime) -> float:
        """Return how much a slot is read in an hour: its appeal halves every half day, and fashion plays along."""
        age = (end - slot.published) / (12 * HOUR)
        return (0.2 + slot.appeal) * (0.6 + 0.8 * self._fashion(slot, hour)) * float(0.5**age)

    def _fashion(self, slot: Slot, hour: int) -> float:
        """Return chance that turns slowly: drawn anew every few hours, and on its way from one to the next between."""
        period, part = divmod(hour, FASHION_HOURS)
        # A checksum is chance enough here, and a hundred times cheaper than a generator of its own.
        old, new = (zlib.crc32(f"{self.site.seed}/{slot.number}/{period + step}".encode()) / 2**32 for step in (0, 1))
        return old + (new - old) * part / FASHION_HOURS


def _hour(at: datetime) -> int:
    return int(at.timestamp() // 3600)
