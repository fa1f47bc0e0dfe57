"""Scores for extracted facts: title, day of publication and authors.

Systems and labels are normalised in the same way, so that the spelling of a name or a list makes no difference.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from broadsheet.corpora.labelled_page import Gold
from broadsheet.corpora.measures import overlap

#: A title is correct if it is a prefix of the other with at least this share of its length.
MIN_COVERED = 0.7

#: Separators between names, the words that introduce them, and forms of address, in labels and output.
_AND = r"(?:and|und|et|y|e|og|och|en|&)\s++"
_BETWEEN = re.compile(rf"(?:(?<![^\S\n])[^\S\n]++)?[,;|/\n]\s*+(?:{_AND})?|(?<!\s)\s++{_AND}")
_LEAD = re.compile(r"(?:written by|by|von|par|por|di|door|av|af)(?:\s*+:)?\s++", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:(?:dr|prof|mr|mrs|ms)\.?\s+)+", re.IGNORECASE)
#: Academic degrees and the like, folded: "Nora Pell, MD, Ph.D." is one name.
_DEGREES = frozenset(
    "ba bs bsc ma ms msc mba mph mpa md phd edd psyd jd llm esq jr sr rn rd rdn ldn fand dvm vmd dacvb lvt cfp cpa cfa"
    " foma dabom facc facp facs faclm".split()
)


class Fields(NamedTuple):
    """The facts that a system extracts; the day of publication in ISO 8601."""

    title: str | None
    published: str | None
    authors: tuple[str, ...]


class FieldScores(NamedTuple):
    """Scores from 0 to 1; None for fields that are not labelled."""

    title: float | None
    published: float | None
    authors: float | None


def score_fields(fields: Fields, gold: Gold) -> FieldScores:
    """Compare extracted facts with the labels."""
    return FieldScores(
        float(is_same_title(fields.title, gold.title)) if gold.title else None,
        float(fields.published == gold.date[:10]) if gold.date else None,
        overlap(names(fields.authors), names(gold.authors)).score.f if gold.authors else None,
    )


def is_same_title(title: str | None, expected: str) -> bool:
    """Return whether titles are equal up to case, punctuation and space, or one is a long prefix of the other."""
    short, long = sorted((fold(title or ""), fold(expected)), key=len)
    return bool(short) and long.startswith(short) and len(short) >= MIN_COVERED * len(long)


def names(texts: Iterable[str]) -> set[str]:
    """Return the folded names in some texts, each of which may list several; degrees after a name are none."""
    parts = (_after(_ADDRESS, part) for text in texts for part in _BETWEEN.split(_after(_LEAD, text.strip())))
    return {folded for part in parts if (folded := fold(part)) and folded not in _DEGREES}


def _after(beginning: re.Pattern[str], text: str) -> str:
    match = beginning.match(text)
    return text[match.end() :] if match else text


def fold(text: str) -> str:
    """Return the letters and digits of a text, case-folded."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
