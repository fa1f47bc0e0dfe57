"""The stories in the slots of a timeline: the ground truth against which extraction is measured."""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from typing import NamedTuple

from broadsheet.newsweb._lexicon import Forms, Lexicon
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._story_history import Story, StoryForm, write_history
from broadsheet.newsweb.site import Site

#: The share of stories with two authors.
CO_WRITTEN = 0.15
#: The share of stories of planned sites without a heading in their text.
NO_CROSSHEAD = 0.4
#: How many paragraphs and how many pictures a gallery has.
SHORT_TEXT, PICTURES = 2, (6, 24)

#: Later than everything that happens.
NEVER = datetime.max.replace(tzinfo=UTC)

_STORIES_CACHED = 4096
#: Enough for the fronts of a site with 500 articles a day and for their further pages. Where there are more, each visit
#: makes hundreds anew.
_OUTLINES_CACHED = 1 << 15


class StoryListing(NamedTuple):
    """Versions of some stories, and when the first of them changes."""

    stories: list[Story]
    until: datetime


class PickedSlots(NamedTuple):
    """The slots in a list, and when what the list shows last changed."""

    slots: tuple[Slot, ...]
    changed: datetime


class Stories:
    """Generates the stories of a site on demand; each has its own random generator, so none depends on another."""

    def __init__(self, site: Site) -> None:
        """Prepare the cache for a site; stories are generated on demand."""
        self.site = site
        self.versions = lru_cache(_STORIES_CACHED)(self._versions)
        self._outlined: dict[int, tuple[Story, ...]] = {}

    def first_outline(self, slot: Slot) -> Story:
        """Return the story as it was published, without its text if that saves work."""
        return self.outlines(slot)[0]

    def version_at(self, slot: Slot, at: datetime) -> Story:
        """Return the newest version of the story at this time; after a removal, the one that says so."""
        return _version(self.versions(slot), at)

    def outline_at(self, slot: Slot, at: datetime) -> Story:
        """Return the newest version of the story at this time, without its text if that saves work."""
        versions = self._outlined.get(slot.number) or self.outlines(slot)
        return versions[0] if len(versions) == 1 else _version(versions, at)

    def online(self, slots: Iterable[Slot], size: int, at: datetime) -> list[Slot]:
        """Return the first slots, so many at most, whose stories are not removed at this time."""
        found: list[Slot] = []
        for slot in slots:
            versions = self._outlined.get(slot.number) or self.outlines(slot)
            if len(versions) == 1 or not _version(versions, at).removed:
                found.append(slot)
                if len(found) == size:
                    break
        return found

    def pick(self, slots: Iterable[Slot], until: int, at: datetime, since: int = 0) -> PickedSlots:
        """Return the slots from `since` until before `until` whose stories are online.

        What they show changes when one of them is published, or one among or before them is removed or moves on.
        """
        picked: list[Slot] = []
        online, changed = 0, self.site.founded
        for slot in slots:
            story = self.outline_at(slot, at)
            changed = max(changed, story.listed if online >= since or story.removed else story.published)
            if story.removed:
                continue
            if online >= since:
                picked.append(slot)
            online += 1
            if online == until:
                break
        return PickedSlots(tuple(picked), changed)

    def listing(self, slots: Iterable[Slot], at: datetime) -> StoryListing:
        """Return the newest versions of several stories at this time, without their text if that saves work."""
        stories, until = [], NEVER
        for slot in slots:
            versions = self._outlined.get(slot.number) or self.outlines(slot)
            if len(versions) == 1:
                stories.append(versions[0])
                continue
            place = max(1, bisect_right(versions, at, key=_renewed))
            stories.append(versions[place - 1])
            if place < len(versions):
                until = min(until, versions[place].renewed)
        return StoryListing(stories, until)

    def outlines(self, slot: Slot) -> tuple[Story, ...]:
        """Return all versions of the story, without its text if that saves work."""
        versions = self._outlined.get(slot.number)
        if versions is None:
            versions = self.versions(slot) if self.site.plan is None else self._versions(slot, outline=True)
            if len(self._outlined) >= _OUTLINES_CACHED:
                self._outlined.clear()
            self._outlined[slot.number] = versions
        return versions

    def _versions(self, slot: Slot, outline: bool = False) -> tuple[Story, ...]:
        rng = Random(f"{self.site.seed}/story/{slot.number}")
        lexicon = slot.section.lexicon
        facts = lexicon.facts(rng)
        headline = lexicon.headline(rng, facts)
        if self.site.plan is not None:
            return self._planned(slot, rng, facts, headline, outline)
        first = Story(
            number=slot.number,
            path=self.site.paths.to_article(slot.section.slug, slot.day, slot.ordinal, slot.number, headline),
            section=slot.section,
            headline=headline,
            standfirst=lexicon.standfirst(rng, facts),
            authors=tuple(rng.sample(lexicon.authors, 2 if rng.random() < CO_WRITTEN else 1)),
            published=slot.published,
            modified=None,
            paragraphs=lexicon.paragraphs(rng, facts),
            crosshead=lexicon.crosshead(rng),
            listed=slot.published,
        )
        return write_history(self.site, first, rng)

    def _planned(
        self, slot: Slot, rng: Random, facts: Mapping[str, str | Forms], headline: str, outline: bool
    ) -> tuple[Story, ...]:
        """Return the versions of a story of a planned site, whose text has random numbers of its own."""
        lexicon = slot.section.lexicon
        standfirst = lexicon.standfirst(rng, facts)
        authors = tuple(rng.sample(lexicon.authors, 2 if rng.random() < CO_WRITTEN else 1))
        paragraphs: tuple[str, ...] = ()
        crosshead = ""
        if not outline:
            body = Random(f"{self.site.seed}/body/{slot.number}")
            paragraphs = lexicon.paragraphs(body, facts)
            crosshead = "" if body.random() < NO_CROSSHEAD else lexicon.crosshead(body)
        form = self._form(slot)
        captions: tuple[str, ...] = ()
        if form != "text" and not outline:
            paragraphs, crosshead = _shortened(lexicon, body, form, paragraphs), ""
        if form == "gallery" and not outline:
            captions = tuple(lexicon.crosshead(body) for _ in range(body.randint(*PICTURES)))
        first = Story(
            number=slot.number,
            path=self.site.paths.to_article(slot.section.slug, slot.day, slot.ordinal, slot.number, headline),
            section=slot.section,
            headline=headline,
            standfirst=standfirst,
            authors=authors,
            published=slot.published,
            modified=None,
            paragraphs=paragraphs,
            crosshead=crosshead,
            listed=slot.published,
            form=form,
            captions=captions,
        )
        return write_history(self.site, first, rng)

    def _form(self, slot: Slot) -> StoryForm:
        extras = self.site.extras
        share = zlib.crc32(f"{self.site.seed}/form/{slot.number}".encode()) / 2**32
        if share < extras.galleries:
            return "gallery"
        if share < extras.galleries + extras.videos:
            return "video"
        return "brief" if share < extras.galleries + extras.videos + extras.briefs else "text"


def _shortened(lexicon: Lexicon, rng: Random, form: StoryForm, paragraphs: tuple[str, ...]) -> tuple[str, ...]:
    """Return the text of a story that is seen more than read, or told in a few sentences."""
    if form == "gallery":
        return paragraphs[:SHORT_TEXT]
    # The text of a video is hardly longer than its standfirst.
    number = 1 if form == "video" else rng.choice((2, 2, 3, 4))
    return tuple(lexicon.standfirst(rng, lexicon.facts(rng)) for _ in range(number))


def _version(versions: tuple[Story, ...], at: datetime) -> Story:
    if len(versions) == 1:
        return versions[0]
    return versions[max(0, bisect_right(versions, at, key=_renewed) - 1)]


def _renewed(story: Story) -> datetime:
    return story.renewed
