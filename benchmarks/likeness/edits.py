"""What those who publish an agency's copy do to it, as functions from paragraphs to paragraphs."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

Edit: TypeAlias = Callable[[list[str], random.Random, Sequence[str]], list[str]]

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_PLACES = ("BERLIN", "LONDON", "PARIS", "NEW DELHI", "MOSCOW", "MEXICO CITY", "OTTAWA", "SEOUL")
_AGENCIES = ("AP", "Reuters", "dpa", "AFP", "EFE", "Xinhua")
_NAMES = ("Jordan Ellis", "Maria Lindqvist", "A. Kowalski", "Chen Wei", "Sofia Marques", "T. Okafor")
_QUOTES = str.maketrans({'"': "“", "'": "’", "“": "«", "”": "»", "‘": "'", "’": "'", "–": "-", "—": "–"})


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph, roughly."""
    return [sentence for sentence in _SENTENCE_END.split(paragraph) if sentence.strip()]


def shortened(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Keep the first 35 to 75 % of the sentences."""
    del others
    return _first_sentences(text, chance.uniform(0.35, 0.75))


def new_lead(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Replace the first paragraph by one of another article."""
    return [chance.choice(others), *text[1:]]


def byline(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Add a line with the author, and place and agency before the first words."""
    del others
    place = f"{chance.choice(_PLACES)} ({chance.choice(_AGENCIES)}) — {text[0]}"
    return [f"By {chance.choice(_NAMES)}, {chance.choice(_NAMES)}", place, *text[1:]]


def dropped(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Leave out one sentence in five."""
    del others
    kept = (" ".join(part for part in sentences(paragraph) if chance.random() >= 0.2) for paragraph in text)
    return [paragraph for paragraph in kept if paragraph]


def reordered(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Shuffle all paragraphs but the first."""
    del others
    rest = text[1:]
    chance.shuffle(rest)
    return [text[0], *rest]


def respelled(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Change the quotation marks, and one word in thirty."""
    del others
    return [
        " ".join(word if chance.random() >= 1 / 30 else word[::-1] for word in paragraph.translate(_QUOTES).split(" "))
        for paragraph in text
    ]


def framed(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Add two paragraphs of other pages at the end, as sign-up lines and disclaimers are."""
    return [*text, *(chance.choice(others) for _ in range(2))]


def combined(text: list[str], chance: random.Random, others: Sequence[str]) -> list[str]:
    """Do most of these together: shorten, add a byline, drop and respell, and add a sign-up line."""
    for edit in (respelled, dropped, byline):
        text = edit(text, chance, others)
    return [*_first_sentences(text, chance.uniform(0.6, 0.9)), chance.choice(others)]


def _first_sentences(text: list[str], share: float) -> list[str]:
    left = max(1, round(share * sum(len(sentences(paragraph)) for paragraph in text)))
    kept: list[str] = []
    for paragraph in text:
        some = sentences(paragraph)[:left]
        left -= len(some)
        if some:
            kept.append(" ".join(some))
    return kept


#: By the name of the family of pairs.
EDITS: Mapping[str, Edit] = {
    "shortened at the end": shortened,
    "first paragraph replaced": new_lead,
    "byline and place added": byline,
    "sentences dropped": dropped,
    "paragraphs reordered": reordered,
    "quotes and words changed": respelled,
    "boilerplate added": framed,
    "several of these": combined,
}
