"""Scores of predicted double tags, as the thesis counts them, per element of the article: title, heading and body.

An element's counts are sums over the double tags that contain it in either slot, and only the exact double tag is
right. A second count looks at each text and tail for itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.reading.double_tags import DOUBLE_TAGS, LETTERS, split_tags

#: The elements of an article that are told apart, with their letters in a double tag.
ELEMENTS: dict[str, str] = {"title": "t", "heading": "h", "body": "b"}
_LABELS = {letter: label for label, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class ElementScore:
    """True and false positives and negatives, and what follows from them; undefined measures are 0."""

    tp: int
    fp: int
    tn: int
    fn: int

    def __add__(self, other: "ElementScore") -> "ElementScore":
        """Return the pooled counts."""
        return ElementScore(self.tp + other.tp, self.fp + other.fp, self.tn + other.tn, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """The share of what is there that was found."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0

    @property
    def has_gold(self) -> bool:
        """Whether there is anything to find."""
        return self.tp + self.fn > 0


NOTHING = ElementScore(0, 0, 0, 0)


def by_double_tag(truth: Ints, found: Ints, element: str) -> ElementScore:
    """Sum the counts of all double tags that contain an element; only the exact double tag is right."""
    total = NOTHING
    for code, name in enumerate(DOUBLE_TAGS):
        if ELEMENTS[element] in name.split("+") and (np.any(truth == code) or np.any(found == code)):
            tp = int(((truth == code) & (found == code)).sum())
            fp, fn = int((found == code).sum()) - tp, int((truth == code).sum()) - tp
            total += ElementScore(tp, fp, len(truth) - tp - fp - fn, fn)
    return total


def by_slot(truth: Ints, found: Ints, element: str) -> ElementScore:
    """Count every text and every tail for itself."""
    label = _LABELS[ELEMENTS[element]]
    is_truth, is_found = split_tags(truth) == label, split_tags(found) == label
    tp = int((is_truth & is_found).sum())
    fp, fn = int(is_found.sum()) - tp, int(is_truth.sum()) - tp
    return ElementScore(tp, fp, is_truth.size - tp - fp - fn, fn)


def macro_mean(scores: Sequence[ElementScore]) -> tuple[float, float, float]:
    """Return mean precision, recall and F over the domains that have something to find."""
    counted = [score for score in scores if score.has_gold]
    if not counted:
        return 0.0, 0.0, 0.0
    measures = np.array([(score.precision, score.recall, score.f) for score in counted])
    precision, recall, f = measures.mean(axis=0).tolist()
    return precision, recall, f


def pooled(scores: Sequence[ElementScore]) -> ElementScore:
    """Return the counts of all domains together, for the micro mean."""
    return sum(scores, NOTHING)
