"""Which stories the lists of a planned site hold at any given time, and in which order."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice

from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._timeline import DAY, HOUR, Slot, Timeline
from broadsheet.newsweb.site import FOUNDED, Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, SitePlan

#: An editor chooses among the newest stories, so many for each that is shown.
CHOICE = 3
#: Readers choose among the newest stories.
READ_CHOICE = 80
#: Old articles that are kept were published in the first months of the site.
KEPT_DAYS = 200

_NEVER = datetime.max.replace(tzinfo=UTC)
_GOLDEN = 0.6180339887498949
_CACHED = 256


class FrontLists:
    """Fills lists; a list that an editor fills changes only when the editor looks at it."""

    def __init__(self, site: Site, plan: SitePlan, timeline: Timeline, stories: Stories) -> None:
        """Prepare the caches for a site."""
        self._site = site
        self._plan = plan
        self._timeline = timeline
        self._stories = stories
        self._looked = lru_cache(_CACHED)(self._look)
        self._kept = lru_cache(_CACHED)(self._keep)

    def fill(self, box: BoxPlan, sections: tuple[Section, ...], at: datetime) -> tuple[Slot, ...]:
        """Return the stories in a list of these sections (none: of all) at this time."""
        # Hashing a section means hashing its whole vocabulary.
        indices = tuple(section.index for section in sections)
        if box.filling == "kept":
            return self._kept(box, indices)
        return self._looked(box, indices, self.last_look(box, at))

    def last_look(self, box: BoxPlan, at: datetime) -> datetime:
        """Return when an editor or the readers last decided about a list."""
        if box.filling not in ("edited", "places", "most-read", "promotions"):
            return self._site.founded
        step = timedelta(minutes=60 if box.filling == "most-read" else self._plan.edits)
        return self._site.founded + (at - self._site.founded) // step * step

    def newest(self, sections: Iterable[int], at: datetime) -> Iterator[Slot]:
        """Yield the stories of these sections (none: of all) published by this time, newest first."""
        chosen = tuple(self._site.sections[index] for index in sections)
        return self._timeline.newest(chosen, at) if chosen else self._timeline.before(at)

    def _online(self, slots: Iterable[Slot], size: int, at: datetime) -> tuple[Slot, ...]:
        online = (slot for slot in slots if not self._stories.outline_at(slot, at).removed)
        return tuple(islice(online, size))

    def _look(self, box: BoxPlan, sections: tuple[int, ...], at: datetime) -> tuple[Slot, ...]:
        newest = self.newest(sections, at)
        match box.filling:
            case "edited":
                prominent = (slot for slot in newest if slot.prominent or sections)
                candidates = list(islice(prominent, CHOICE * box.size))
                candidates.sort(key=lambda slot: (-self._strength(slot, at), slot.number))
            case "places":
                candidates = list(_in_places(islice(newest, 8 * box.size), box.size))
            case _:
                candidates = list(islice(newest, READ_CHOICE))
                candidates.sort(key=lambda slot: (-_readers(slot, at), slot.number))
        return self._online(candidates, box.size, at)

    def _strength(self, slot: Slot, at: datetime) -> float:
        """Return how much an editor wants a story: it falls with its age, for some stories faster than for others."""
        age = (at - slot.published) / HOUR
        return self._plan.life * slot.appeal - age * (0.4 + 1.2 * (slot.number * _GOLDEN % 1))

    def _keep(self, box: BoxPlan, sections: tuple[int, ...]) -> tuple[Slot, ...]:
        end = datetime.combine(FOUNDED, datetime.min.time(), self._site.offset) + KEPT_DAYS * DAY
        # A removed one would not be kept.
        return self._online((slot for slot in self.newest(sections, end) if slot.number % 3 == 0), box.size, _NEVER)


def _in_places(newest: Iterable[Slot], size: int) -> tuple[Slot, ...]:
    """Return the newest story of each place; every story belongs to one place and replaces the one before it there."""
    places: dict[int, Slot] = {}
    for slot in newest:
        places.setdefault(int(slot.number * _GOLDEN % 1 * size), slot)
        if len(places) == size:
            break
    return tuple(places[place] for place in sorted(places))


def _readers(slot: Slot, at: datetime) -> float:
    """Return how much a story is read: its appeal falls by half in 12 hours and drifts from hour to hour."""
    hours = (at - slot.published) / HOUR
    drift = (slot.number * _GOLDEN + hours / (20 + 10 * slot.appeal)) % 1
    return (0.2 + slot.appeal) * (0.7 + 0.6 * abs(2 * drift - 1)) * float(0.5 ** (hours / 12))
