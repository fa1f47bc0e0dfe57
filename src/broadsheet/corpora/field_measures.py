"""Whether the facts of an article are right: its title, the day of its publication, its authors.

All systems and all labels are compared in the same way, so that how a name or a list is written makes no difference.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from broadsheet.corpora.labelled_page import Gold
from broadsheet.corpora.measures import overlap

#: A title that begins as the other does is right with at least this share of it.
LEAST_COVERED = 0.7

#: What divides names, in labels and in what systems give, and what leads to them.
_BETWEEN = re.compile(r"(?:(?<![^\S\n])[^\S\n]++)?[,;|/\n]\s*+|(?<!\s)\s++(?:and|und|et|y|e|og|och|en|&)\s++")
_LEAD = re.compile(r"(?:written by|by|von|par|por|di|door|av|af)\s*:?\s+", re.IGNORECASE)


class Fields(NamedTuple):
    """What a system says of an article; the day in ISO 8601."""

    title: str | None
    published: str | None
    authors: tuple[str, ...]


class FieldScores(NamedTuple):
    """How right a system is, from 0 to 1; None for what is not labelled."""

    title: float | None
    published: float | None
    authors: float | None


def score_fields(found: Fields, gold: Gold) -> FieldScores:
    """Compare what a system says with the labels."""
    return FieldScores(
        float(is_same_title(found.title, gold.title)) if gold.title else None,
        float(found.published == gold.date[:10]) if gold.date else None,
        overlap(names(found.authors), names(gold.authors)).score.f if gold.authors else None,
    )


def is_same_title(found: str | None, wanted: str) -> bool:
    """Tell whether two titles are equal but for case, punctuation and space, or one begins with most of the other."""
    short, long = sorted((fold(found or ""), fold(wanted)), key=len)
    return bool(short) and long.startswith(short) and len(short) >= LEAST_COVERED * len(long)


def names(written: Iterable[str]) -> set[str]:
    """Return the names in some texts, each of which may list several, without case, punctuation and space."""
    parts = (part for text in written for part in _BETWEEN.split(_LEAD.sub("", text.strip(), count=1)))
    return {folded for part in parts if (folded := fold(part))}


def fold(text: str) -> str:
    """Return the letters and digits of a text without their case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
