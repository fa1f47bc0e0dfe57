"""Normalised words for comparing texts, independent of how a page or a label writes them.

A word is defined as in `document.characters`: a run of letters and digits, or one base letter in scripts without
spaces. It is NFKC-normalised and case-folded, so ligatures, full-width letters, composed accents and the kind of
apostrophe make no difference.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.characters import (
    APOSTROPHE,
    DIGIT,
    INVISIBLE,
    JOINER,
    LETTER,
    MARK,
    UNSPACED,
    UPPER,
    classes,
)

Ints = NDArray[np.int64]

#: A one-letter code for each class of character that occurs in words.
_CODES = {LETTER: "l", UPPER: "l", DIGIT: "d", MARK: "m", UNSPACED: "u", APOSTROPHE: "a", JOINER: "j"}
# Matches words in a string of these codes.
_WORD = re.compile(r"um*|[ld](?:[ldm]|(?<=[lm])a(?=l)|(?<=d)j(?=d))*")


def words_of(text: str) -> list[str]:
    """Return the normalised words of a text."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    visible = normal if normal.isascii() else normal.translate(_translation())
    kinds = "".join(map(_kind, visible))
    return [visible[match.start() : match.end()] for match in _WORD.finditer(kinds)]


@dataclass(frozen=True, slots=True)
class WordNumbers:
    """A vocabulary that numbers words, so that texts can be compared as arrays."""

    numbers: dict[str, int]

    @classmethod
    def empty(cls) -> "WordNumbers":
        """Return an empty vocabulary."""
        return cls({})

    def encode(self, words: Iterable[str]) -> Ints:
        """Return the numbers of words; a new word gets the next number."""
        numbers = self.numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def is_unspaced(word: str) -> bool:
    """Return whether a word is a character of a script without spaces."""
    return int(classes()[ord(word[0])]) == UNSPACED


def begins_within_a_word(text: str) -> bool:
    """Return whether the first word of a text could have begun before it."""
    return _kind(text[:1] or " ") in "ldm"


def ends_within_a_word(text: str) -> bool:
    """Return whether the last word of a text could continue after it."""
    return _kind(text[-1:] or " ") in "ldm"


@cache
def _kind(character: str) -> str:
    return _CODES.get(int(classes()[ord(character)]), " ")


@cache
def _translation() -> dict[int, str | None]:
    """Return a translation table that removes invisible characters and unifies apostrophes."""
    invisible: dict[int, str | None] = dict.fromkeys(int(code) for code in np.flatnonzero(classes() == INVISIBLE))
    return invisible | {int(code): "'" for code in np.flatnonzero(classes() == APOSTROPHE)}
