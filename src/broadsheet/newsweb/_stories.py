"""The stories in the slots of a timeline: the ground truth against which extraction is measured."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random

from broadsheet.newsweb._timeline import Slot
from broadsheet.newsweb.site import Section, Site

#: The share of stories that are corrected, and the share with two authors.
CORRECTED = 0.08
CO_WRITTEN = 0.15

_STORIES_CACHED = 4096


@dataclass(frozen=True, slots=True)
class Story:
    """A version of an article; `correction` is when it will change, `modified` is when it did."""

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
        """The author who is named first."""
        return self.authors[0]

    @property
    def changed(self) -> datetime:
        """When the text last changed."""
        return self.modified or self.published


class Stories:
    """Generates the stories of a site on demand; each has its own random generator, so none depends on another."""

    def __init__(self, site: Site) -> None:
        """Prepare the cache for a site; stories are generated on demand."""
        self.site = site
        self.first_version = lru_cache(_STORIES_CACHED)(self._first_version)

    def version_at(self, slot: Slot, at: datetime) -> Story:
        """Return the version of the story that was online at this time."""
        story = self.first_version(slot)
        return _correct(story) if story.correction and story.correction <= at else story

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


def _correct(story: Story) -> Story:
    """Return the corrected version of a story, with a sentence added to the paragraph that was wrong."""
    lexicon = story.section.lexicon
    wrong = 1 + story.number % (len(story.paragraphs) - 1)
    paragraphs = list(story.paragraphs)
    paragraphs[wrong] = f"{paragraphs[wrong]}{lexicon.space}{lexicon.correction}"
    return replace(story, modified=story.correction, paragraphs=tuple(paragraphs))
