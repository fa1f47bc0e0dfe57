"""The stories in the slots of a timeline: the ground truth against which extraction is measured."""

from bisect import bisect_right
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from random import Random

from broadsheet.newsweb._lexicon import Forms
from broadsheet.newsweb._story_history import Story, write_history
from broadsheet.newsweb._timeline import Slot
from broadsheet.newsweb.site import Site

#: The share of stories with two authors.
CO_WRITTEN = 0.15

_STORIES_CACHED = 4096
_OUTLINES_CACHED = 8192


class Stories:
    """Generates the stories of a site on demand; each has its own random generator, so none depends on another."""

    def __init__(self, site: Site) -> None:
        """Prepare the cache for a site; stories are generated on demand."""
        self.site = site
        self.versions = lru_cache(_STORIES_CACHED)(self._versions)
        self.outlines = lru_cache(_OUTLINES_CACHED)(self._outlines)

    def first_version(self, slot: Slot) -> Story:
        """Return the story as it was published."""
        return self.versions(slot)[0]

    def first_outline(self, slot: Slot) -> Story:
        """Return the story as it was published, without its text if that saves work."""
        return self.outlines(slot)[0]

    def version_at(self, slot: Slot, at: datetime) -> Story:
        """Return the newest version of the story at this time; after a removal, the one that says so."""
        return _version(self.versions(slot), at)

    def outline_at(self, slot: Slot, at: datetime) -> Story:
        """Return the newest version of the story at this time, without its text if that saves work."""
        return _version(self.outlines(slot), at)

    def _outlines(self, slot: Slot) -> tuple[Story, ...]:
        return self.versions(slot) if self.site.plan is None else self._versions(slot, outline=True)

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
        body = Random(f"{self.site.seed}/body/{slot.number}")
        first = Story(
            number=slot.number,
            path=self.site.paths.to_article(slot.section.slug, slot.day, slot.ordinal, slot.number, headline),
            section=slot.section,
            headline=headline,
            standfirst=lexicon.standfirst(rng, facts),
            authors=tuple(rng.sample(lexicon.authors, 2 if rng.random() < CO_WRITTEN else 1)),
            published=slot.published,
            modified=None,
            paragraphs=() if outline else lexicon.paragraphs(body, facts),
            crosshead="" if outline or body.random() < 0.4 else lexicon.crosshead(body),
            listed=slot.published,
        )
        return write_history(self.site, first, Random(f"{self.site.seed}/revisions/{slot.number}"))


def _version(versions: tuple[Story, ...], at: datetime) -> Story:
    if len(versions) == 1:
        return versions[0]
    return versions[max(0, bisect_right(versions, at, key=_renewed) - 1)]


def _renewed(story: Story) -> datetime:
    return story.renewed
