"""The stories in the slots of a timeline: the ground truth against which extraction is measured."""

from bisect import bisect_right
from datetime import datetime
from functools import lru_cache
from random import Random

from broadsheet.newsweb._story_history import Story, write_history
from broadsheet.newsweb._timeline import Slot
from broadsheet.newsweb.site import Site

#: The share of stories with two authors.
CO_WRITTEN = 0.15

_STORIES_CACHED = 4096


class Stories:
    """Generates the stories of a site on demand; each has its own random generator, so none depends on another."""

    def __init__(self, site: Site) -> None:
        """Prepare the cache for a site; stories are generated on demand."""
        self.site = site
        self.versions = lru_cache(_STORIES_CACHED)(self._versions)

    def first_version(self, slot: Slot) -> Story:
        """Return the story as it was published."""
        return self.versions(slot)[0]

    def version_at(self, slot: Slot, at: datetime) -> Story:
        """Return the newest version of the story at this time; after a removal, the one that says so."""
        versions = self.versions(slot)
        if len(versions) == 1:
            return versions[0]
        return versions[max(0, bisect_right(versions, at, key=_renewed) - 1)]

    def _versions(self, slot: Slot) -> tuple[Story, ...]:
        rng = Random(f"{self.site.seed}/story/{slot.number}")
        lexicon = slot.section.lexicon
        facts = lexicon.facts(rng)
        headline = lexicon.fill(rng.choice(lexicon.headlines), facts)
        first = Story(
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
            listed=slot.published,
        )
        return write_history(self.site, first, rng)


def _renewed(story: Story) -> datetime:
    return story.renewed
