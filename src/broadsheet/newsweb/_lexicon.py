"""Generates news in any language: sentence templates, filled from lists of words by a seeded random generator."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import NamedTuple

Forms = tuple[str, ...]

#: A body with fewer sentences would be no longer than a teaser.
MIN_SENTENCES = 7


class NameAndSlug(NamedTuple):
    """A name as readers see it, and as it appears in URLs."""

    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class Interface:
    """The labels of a site's user interface."""

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
    """The vocabulary and templates for news in one language.

    `slots` are the placeholders that templates refer to in braces; each option is a text, or a tuple of its inflected
    forms, which a template picks by index. A story chooses each option once, so that all its sentences are consistent.
    `offset` is the UTC offset in hours; `charset` is the encoding that sites in the language used before UTF-8.
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
        """Choose the options and numbers for one story."""
        choices = {name: rng.choice(options) for name, options in self.slots.items()}
        ranges = {"count": (3, 48), "share": (31, 78), "months": (5, 30)}
        return {**choices, **{name: str(rng.randint(*ends)) for name, ends in ranges.items()}}

    def fill(self, template: str, facts: Mapping[str, str | Forms]) -> str:
        """Fill in one sentence template and capitalise the first letter."""
        text = template.format_map(facts)
        return text[:1].upper() + text[1:]

    def headline(self, rng: Random, facts: Mapping[str, str | Forms]) -> str:
        """Write a headline."""
        return self.fill(rng.choice(self.headlines), facts)

    def standfirst(self, rng: Random, facts: Mapping[str, str | Forms]) -> str:
        """Write the sentence below a headline."""
        return self.fill(rng.choice(self.standfirsts), facts)

    def crosshead(self, rng: Random) -> str:
        """Write a heading within the text."""
        return rng.choice(self.crossheads)

    def entry(self, rng: Random) -> str:
        """Write two sentences, as in an entry of a live-blog."""
        chosen = rng.sample(self.sentences[1:], 2)
        facts = self.facts(rng)
        return self.space.join(self.fill(sentence, facts) for sentence in chosen)

    def paragraphs(self, rng: Random, facts: Mapping[str, str | Forms]) -> tuple[str, ...]:
        """Generate a body: the first sentence, then a random selection of the others in paragraphs of two or three."""
        lead, *others = self.sentences
        others = rng.sample(others, rng.randint(MIN_SENTENCES - 1, len(others)))
        lead, *others = (self.fill(sentence, facts) for sentence in (lead, *others))
        paragraphs = [lead]
        while others:
            size = rng.randint(2, 3)
            paragraphs.append(self.space.join(others[:size]))
            others = others[size:]
        return tuple(paragraphs)

    def format_date(self, moment: datetime) -> str:
        """Format a date and time as is usual in the language."""
        return self.date.format(
            day=moment.day,
            month=self.months[moment.month - 1],
            year=moment.year,
            time=f"{moment.hour:02}:{moment.minute:02}",
        )
