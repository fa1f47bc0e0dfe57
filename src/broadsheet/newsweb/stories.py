"""What is written in the slots of a timeline: the truth that extraction is measured against."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random

from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.timeline import Slot

CORRECTED = 0.08
CO_WRITTEN = 0.15

_STORIES_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Story:
    """One article at one moment; `correction` is when it changes, and `modified` when it has changed."""

    number: int
    path: str
    section: Section
    headline: str
    standfirst: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime | None
    paragraphs: tuple[str, ...]
    crosshead: str
    correction: datetime | None

    @property
    def author(self) -> str:
        """Who is named first."""
        return self.authors[0]

    @property
    def changed(self) -> datetime:
        """When the text became what it is."""
        return self.modified or self.published


class Stories:
    """Writes the stories of a site when they are asked for; each has its own generator and so depends on no other."""

    def __init__(self, site: Site) -> None:
        """Take the site; nothing is written yet."""
        self.site = site
        self.first_version = lru_cache(_STORIES_KEPT)(self._first_version)

    def at(self, slot: Slot, at: datetime) -> Story:
        """Return the story as readers saw it at a moment."""
        story = self.first_version(slot)
        return _corrected(story) if story.correction and story.correction <= at else story

    def _first_version(self, slot: Slot) -> Story:
        rng = Random(f"{self.site.seed}/story/{slot.number}")
        lexicon = slot.section.lexicon
        facts = lexicon.facts(rng)
        headline = lexicon.fill(rng.choice(lexicon.headlines), facts)
        return Story(
            number=slot.number,
            path=self.site.paths.to_article(slot.section.slug, slot.day, slot.ordinal, slot.number, headline),
            section=slot.section,
            headline=headline,
            standfirst=lexicon.fill(rng.choice(lexicon.standfirsts), facts),
            authors=tuple(rng.sample(lexicon.authors, 2 if rng.random() < CO_WRITTEN else 1)),
            published=slot.published,
            modified=None,
            paragraphs=lexicon.paragraphs(rng, facts),
            crosshead=rng.choice(lexicon.crossheads),
            correction=slot.published + timedelta(minutes=rng.randint(20, 1800)) if rng.random() < CORRECTED else None,
        )


def _corrected(story: Story) -> Story:
    """Return a story after its correction, which adds a sentence to the paragraph that was wrong."""
    lexicon = story.section.lexicon
    wrong = 1 + story.number % (len(story.paragraphs) - 1)
    paragraphs = list(story.paragraphs)
    paragraphs[wrong] = f"{paragraphs[wrong]}{lexicon.space}{lexicon.correction}"
    return replace(story, modified=story.correction, paragraphs=tuple(paragraphs))
