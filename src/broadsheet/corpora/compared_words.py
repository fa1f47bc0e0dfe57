"""Words as two texts are compared by: the same word, however a page or a label happens to write it.

A word is what `document.characters` counts as one: a run of letters and digits, and in scripts without spaces every
base letter. Its form is compatibility-normalised and without case, so ligatures, full-width letters, entities and
composed accents make no difference, nor which apostrophe is set.
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

#: The kinds of characters that words are made of, each as one letter that a pattern can name.
_CODES = {LETTER: "l", UPPER: "l", DIGIT: "d", MARK: "m", UNSPACED: "u", APOSTROPHE: "a", JOINER: "j"}
# The kinds of a text's characters, read as a text of their own: then a plain pattern finds the words.
_WORD = re.compile(r"um*|[ld](?:[ldm]|(?<=[lm])a(?=l)|(?<=d)j(?=d))*")


def words_of(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    visible = normal if normal.isascii() else normal.translate(_plain())
    kinds = "".join(map(_kind, visible))
    return [visible[match.start() : match.end()] for match in _WORD.finditer(kinds)]


@dataclass(frozen=True, slots=True)
class WordNumbers:
    """Numbers for words, so that texts can be compared as columns."""

    numbers: dict[str, int]

    @classmethod
    def empty(cls) -> "WordNumbers":
        """Return a vocabulary that knows no word yet."""
        return cls({})

    def encode(self, words: Iterable[str]) -> Ints:
        """Return the words' numbers; a word that is new gets the next one."""
        numbers = self.numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def is_unspaced(word: str) -> bool:
    """Tell whether a word is a letter of a script that writes no spaces."""
    return int(classes()[ord(word[0])]) == UNSPACED


def begins_within_a_word(text: str) -> bool:
    """Tell whether a text could go on with a word that begins before it."""
    return _kind(text[:1] or " ") in "ldm"


def ends_within_a_word(text: str) -> bool:
    """Tell whether the word at a text's end could go on after it."""
    return _kind(text[-1:] or " ") in "ldm"


@cache
def _kind(character: str) -> str:
    return _CODES.get(int(classes()[ord(character)]), " ")


@cache
def _plain() -> dict[int, str | None]:
    """What is left out because it shows nowhere, and the apostrophe for all that are set as one."""
    invisible: dict[int, str | None] = dict.fromkeys(int(code) for code in np.flatnonzero(classes() == INVISIBLE))
    return invisible | {int(code): "'" for code in np.flatnonzero(classes() == APOSTROPHE)}
