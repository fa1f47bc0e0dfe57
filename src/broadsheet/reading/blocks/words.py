"""The words in class names, ids, roles and properties.

A word is told by its first eight letters, which fit one number: so a page's words are compared all at once, and
*recommendation* and *recommended* are one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document

Codes = NDArray[np.uint64]

_LENGTH = 8
_LOWER = np.arange(256, dtype=np.uint8)
_LOWER[ord("A") : ord("Z") + 1] += 32
_IS_UPPER = np.zeros(256, np.bool_)
_IS_UPPER[ord("A") : ord("Z") + 1] = True
_IS_LETTER = _IS_UPPER.copy()
_IS_LETTER[ord("a") : ord("z") + 1] = True
#: What is left of a code of eight letters if the word has only so many.
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(_LENGTH + 1)], "<u8")


@dataclass(frozen=True, slots=True, eq=False)
class AttributeWords:
    """One row per word of the attributes that name elements, in document order."""

    node: NDArray[np.int32]
    code: Codes


def code_of(word: str) -> int:
    """Return the number that stands for a word."""
    return int.from_bytes(word.lower().encode()[:_LENGTH], "little")


def word_of(code: int) -> str:
    """Return the beginning of the word that a number stands for."""
    return int(code).to_bytes(_LENGTH, "little").rstrip(b"\0").decode()


def attribute_words(document: Document) -> AttributeWords:
    """Return the words of all names that elements have, cut where a capital begins and at what is no letter."""
    tokens = document.tokens
    text = np.frombuffer(tokens.text + bytes(_LENGTH + 1), np.uint8)
    letter, upper = _IS_LETTER[text], _IS_UPPER[text]
    cut = np.ones(len(text), np.bool_)
    cut[1:] = ~letter[:-1] | (upper[1:] & ~upper[:-1])
    cut[tokens.start] = True
    starts = np.flatnonzero(cut & letter)
    stops = np.flatnonzero(cut | ~letter)
    lengths = stops[np.searchsorted(stops, starts, "right")] - starts
    letters = np.lib.stride_tricks.sliding_window_view(_LOWER[text], _LENGTH)[starts]
    codes = letters.view("<u8").reshape(-1) & _MASKS[np.minimum(lengths, _LENGTH)]
    rows = np.searchsorted(tokens.start, starts, "right") - 1
    return AttributeWords(tokens.node[rows], codes)
