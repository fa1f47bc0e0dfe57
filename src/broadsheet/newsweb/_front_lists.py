"""Which stories the lists of a planned site hold at any given time, and in which order."""

import math
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache, partial

from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._stories import NEVER, Stories
from broadsheet.newsweb._timeline import DAY, HOUR, Timeline
from broadsheet.newsweb.site import FOUNDED, Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, Filling, SitePlan

#: An editor chooses among the newest stories, so many for each that is shown.
CHOICE = 3
#: Readers choose among the newest stories.
READ_CHOICE = 80
#: Old articles that are kept were published in the first months of the site.
KEPT_DAYS = 200
#: Old articles that are revived every hour were published so many days after those of the hour before.
REVIVED_DAYS = 7

_EDITED = frozenset[Filling]({"edited", "places", "promotions"})
_HOURLY = frozenset[Filling]({"most-read", "revived"})
_CACHED = 256


class FrontLists:
    """Fills lists; a list that an editor fills changes only when the editor looks at it."""

    def __init__(self, site: Site, plan: SitePlan, timeline: Timeline, stories: Stories) -> None:
        """Prepare the caches for a site."""
        self._site = site
        self._opening = datetime.combine(FOUNDED, datetime.min.time(), site.offset)
        self._plan = plan
        self._timeline = timeline
        self._stories = stories
        self._looked = lru_cache(_CACHED)(self._look)
        self._kept = lru_cache(_CACHED)(self._keep)

    def fill(self, box: BoxPlan, sections: tuple[Section, ...], look: datetime) -> tuple[Slot, ...]:
        """Return the stories in a list of these sections (none: of all) after the last look at it."""
        # Hashing a section means hashing its whole vocabulary.
        indices = tuple(section.index for section in sections)
        if box.filling == "kept":
            return self._kept(box, indices)
        return self._looked(box, indices, look)

    def last_look(self, box: BoxPlan, at: datetime) -> datetime:
        """Return when an editor or the readers last decided about a list."""
        step = self._step(box)
        return self._site.founded if step is None else self._site.founded + (at - self._site.founded) // step * step

    def next_look(self, box: BoxPlan, sections: tuple[Section, ...], at: datetime, look: datetime) -> datetime:
        """Return a time up to which nobody decides about a list, and nothing is published that it would show."""
        if box.filling == "latest":
            return self._timeline.next_after(sections, at)
        step = self._step(box)
        return NEVER if step is None else look + step

    def _step(self, box: BoxPlan) -> timedelta | None:
        if box.filling in _HOURLY:
            return HOUR
        return timedelta(minutes=self._plan.edits) if box.filling in _EDITED else None

    def newest(self, sections: Iterable[int], at: datetime) -> Iterator[Slot]:
        """Yield the stories of these sections (none: of all) published by this time, newest first."""
        chosen = tuple(self._site.sections[index] for index in sections)
        return self._timeline.newest(chosen, at) if chosen else self._timeline.before(at)

    def _look(self, box: BoxPlan, sections: tuple[int, ...], at: datetime) -> tuple[Slot, ...]:
        now, newest = at.timestamp(), self._timeline.newest_few
        match box.filling:
            case "edited":
                candidates = newest(sections, at, CHOICE * box.size, prominent=not sections)
                life = self._plan.life * 3600
                # Some stories age faster than others.
                candidates.sort(key=lambda slot: (now - slot.seconds) * (0.4 + 1.2 * slot.spread) - life * slot.appeal)
            case "places":
                candidates = _in_places(newest(sections, at, 8 * box.size), box.size)
            case "revived":
                hours = (at - self._site.founded) // HOUR
                candidates = newest(
                    sections, self._opening + (1 + hours * REVIVED_DAYS % KEPT_DAYS) * DAY, CHOICE * box.size
                )
            case _:
                candidates = newest(sections, at, READ_CHOICE)
                candidates.sort(key=partial(_disinterest, now))
        return tuple(self._stories.online(candidates, box.size, at))

    def _keep(self, box: BoxPlan, sections: tuple[int, ...]) -> tuple[Slot, ...]:
        end = self._opening + KEPT_DAYS * DAY
        # A removed one would not be kept.
        old = (slot for slot in self.newest(sections, end) if slot.number % 3 == 0)
        return tuple(self._stories.online(old, box.size, NEVER))


def _in_places(newest: list[Slot], size: int) -> list[Slot]:
    """Return the newest story of each place; every story belongs to one place and replaces the one before it there."""
    places: dict[int, Slot] = {}
    for slot in newest:
        places.setdefault(int(slot.spread * size), slot)
        if len(places) == size:
            break
    return [places[place] for place in sorted(places)]


def _disinterest(now: float, slot: Slot) -> float:
    """Return how little a story is read: its appeal falls by half in 12 hours and drifts from hour to hour."""
    hours, appeal = (now - slot.seconds) / 3600, slot.appeal
    drift = (slot.spread + hours / (20 + 10 * appeal)) % 1
    return (0.2 + appeal) * (-0.7 - 0.6 * abs(2 * drift - 1)) * math.exp2(hours / -12)
