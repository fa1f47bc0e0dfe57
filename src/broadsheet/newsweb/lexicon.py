"""Invented news in any language: templates of sentences over lists of words, filled by a seeded generator."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import NamedTuple

Forms = tuple[str, ...]

#: Below this many sentences a body would be no longer than a teaser.
FEWEST_SENTENCES = 7


class NameAndSlug(NamedTuple):
    """A name as readers see it, and as it stands in addresses."""

    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class Interface:
    """The words of a site around its stories."""

    home: str
    by: str
    updated: str
    most_read: str
    related: str
    share: str
    more: str
    latest: str
    imprint: str
    privacy: str
    terms: str
    not_found: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What it takes to write news in one language.

    `slots` are what templates name in braces; each choice is a text, or its inflected forms, which a template
    picks by number. One story makes each choice once, so that all its sentences speak of the same things.
    `offset` is in hours, east of Greenwich; `charset` is what sites of the language used before UTF-8.
    """

    language: str
    slots: Mapping[str, tuple[str | Forms, ...]]
    headlines: tuple[str, ...]
    standfirsts: tuple[str, ...]
    sentences: tuple[str, ...]
    crossheads: tuple[str, ...]
    authors: tuple[str, ...]
    months: tuple[str, ...]
    date: str
    space: str
    correction: str
    clauses: tuple[str, ...]
    mastheads: tuple[NameAndSlug, ...]
    sections: tuple[NameAndSlug, ...]
    offset: int
    charset: str
    interface: Interface

    def facts(self, rng: Random) -> dict[str, str | Forms]:
        """Choose what one story is about."""
        choices = {name: rng.choice(options) for name, options in self.slots.items()}
        ranges = {"count": (3, 48), "share": (31, 78), "months": (5, 30)}
        return {**choices, **{name: str(rng.randint(*ends)) for name, ends in ranges.items()}}

    def fill(self, template: str, facts: Mapping[str, str | Forms]) -> str:
        """Write one sentence, with a capital letter where the language has them."""
        text = template.format_map(facts)
        return text[:1].upper() + text[1:]

    def paragraphs(self, rng: Random, facts: Mapping[str, str | Forms]) -> tuple[str, ...]:
        """Write a body: the first sentence leads, some of the others follow in any order, two or three together."""
        lead, *others = self.sentences
        others = rng.sample(others, rng.randint(FEWEST_SENTENCES - 1, len(others)))
        lead, *others = (self.fill(sentence, facts) for sentence in (lead, *others))
        paragraphs = [lead]
        while others:
            size = rng.randint(2, 3)
            paragraphs.append(self.space.join(others[:size]))
            others = others[size:]
        return tuple(paragraphs)

    def day(self, moment: datetime) -> str:
        """Write a time as readers of the language expect it."""
        return self.date.format(
            day=moment.day,
            month=self.months[moment.month - 1],
            year=moment.year,
            time=f"{moment.hour:02}:{moment.minute:02}",
        )
