"""Precision and recall of extracted text.

Every measure compares two bags: of words, of shingles of four words, or of a page's pieces. An `Overlap` counts what
they share, and all figures follow from it.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.corpora._compared_words import Ints, words_of
from broadsheet.corpora.alignment import Bools

#: Words in a row that make a shingle.
SHINGLE = 4

#: Words as the public benchmarks define them: runs of letters and digits; whole sentences in scripts without spaces.
_PLAIN_WORD = re.compile(r"\w+")


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f: float


class Overlap(NamedTuple):
    """The size of the intersection of two bags, and the size of each."""

    correct: int
    extracted: int
    answer: int

    @property
    def score(self) -> Score:
        """Precision, recall and F; an empty extraction of an empty answer is perfect."""
        if not self.answer and not self.extracted:
            return Score(1.0, 1.0, 1.0)
        precision = self.correct / self.extracted if self.extracted else 0.0
        recall = self.correct / self.answer if self.answer else 0.0
        return Score(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean of two shares, 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def overlap(extracted: Iterable[Hashable], answer: Iterable[Hashable]) -> Overlap:
    """Compare two bags: an item that occurs twice must be extracted twice."""
    output, gold = Counter(extracted), Counter(answer)
    return Overlap((output & gold).total(), output.total(), gold.total())


def word_overlap(extracted: str, answer: str) -> Overlap:
    """Compare two texts as bags of words; in scripts without spaces, of characters."""
    return overlap(words_of(extracted), words_of(answer))


def plain_word_overlap(extracted: str, answer: str) -> Overlap:
    """Compare two texts as bags of lower-case runs of letters and digits, as WCXB does."""
    return overlap(_PLAIN_WORD.findall(extracted.lower()), _PLAIN_WORD.findall(answer.lower()))


def shingle_overlap(extracted: str, answer: str) -> Overlap:
    """Compare two texts as bags of case-sensitive shingles, as Zyte's benchmark does."""
    return overlap(shingles(_PLAIN_WORD.findall(extracted)), shingles(_PLAIN_WORD.findall(answer)))


def shingles(words: Sequence[str], size: int = SHINGLE) -> list[tuple[str, ...]]:
    """Return all runs of `size` words; a shorter text is a single run."""
    if len(words) <= size:
        return [tuple(words)] if words else []
    return [tuple(words[first : first + size]) for first in range(len(words) - size + 1)]


def is_exact(extracted: str, answer: str) -> bool:
    """Return whether two texts have the same words in the same order."""
    return _PLAIN_WORD.findall(extracted) == _PLAIN_WORD.findall(answer)


def piece_overlap(extracted: Bools, answer: Bools, weights: Ints | None = None) -> Overlap:
    """Compare two sets of a page's pieces, each weighted equally or by its words (CoreEx's measure)."""
    counted = np.ones(len(answer), np.int64) if weights is None else weights
    return Overlap(*(int(counted[rows].sum()) for rows in (extracted & answer, extracted, answer)))


def label_overlaps(
    extracted: NDArray[np.int8], answer: NDArray[np.int8], kinds: Iterable[Label], weights: Ints | None = None
) -> dict[Label, Overlap]:
    """Compare two labellings of a page's pieces, label by label."""
    return {kind: piece_overlap(extracted == kind, answer == kind, weights) for kind in kinds}


def all_overlaps(extracted: str, answer: str) -> Mapping[str, Overlap]:
    """Return every overlap of two texts by name."""
    return {
        "words": word_overlap(extracted, answer),
        "plain_words": plain_word_overlap(extracted, answer),
        "shingles": shingle_overlap(extracted, answer),
    }
