"""A small reader that has learned from some annotated pages alone; it is in doubt about what they do not tell.

It is a logistic regression over pieces of text: it learns from a few thousand of them in a fraction of a second, and of
all learners that were tried it reads best after few pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora.annotation.layout_likeness import Doubles, layout, piece_features
from broadsheet.document import Document

#: What the pieces of all pages count together, against weights that are small.
STRENGTH = 3.0
#: Newton's method has converged when no weight changes by more than this; it takes about ten steps.
_ENOUGH, _MAX_STEPS = 1e-6, 50
#: The most that a weight changes in one step.
_LONGEST = 2.0

#: Whether each piece of a page is what the learner looks for: the body of an article.
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PoolPage:
    """What a page looks like: the features of its pieces, their lengths, and its layout."""

    rows: Doubles
    characters: Doubles
    layout: Doubles

    @classmethod
    def of(cls, document: Document) -> "PoolPage":
        """Measure a page."""
        characters = np.diff(document.sums.characters).astype(np.float64)
        return cls(piece_features(document), characters, layout(document))


@dataclass(frozen=True, slots=True, eq=False)
class FeatureScale:
    """The mean and deviation of each feature, over all pages that may be annotated."""

    mean: Doubles
    deviation: Doubles

    @classmethod
    def of(cls, pages: Sequence[PoolPage]) -> "FeatureScale":
        """Measure the pages."""
        rows = np.concatenate([page.rows for page in pages])
        return cls(rows.mean(axis=0), rows.std(axis=0) + 1e-6)

    def scaled(self, page: PoolPage) -> Doubles:
        """Return the features of a page's pieces, in deviations from the mean."""
        return ((page.rows - self.mean) / self.deviation).clip(-4, 4)


class PieceLearner:
    """A logistic regression over the pieces of annotated pages."""

    def __init__(self, pages: Sequence[PoolPage], truths: Sequence[Truth], scale: FeatureScale) -> None:
        """Learn what to look for; pieces count by their share of their page's text, and all pages alike."""
        self._scale = scale
        rows = np.concatenate([scale.scaled(page) for page in pages])
        weights = np.concatenate([page.characters / max(page.characters.sum(), 1) for page in pages])
        self._weights = fit_logistic(rows, np.concatenate(truths), STRENGTH * weights)

    def probabilities(self, page: PoolPage) -> Doubles:
        """Return the probability of each piece to be what the learner looks for."""
        return _logistic(self._scale.scaled(page), self._weights)

    def f(self, page: PoolPage, truth: Truth) -> float:
        """Return the F of what the learner selects on a page, by characters."""
        selected = (self.probabilities(page) > 0.5).astype(np.float64)
        return _f(selected, truth, page.characters)

    def doubt(self, page: PoolPage) -> float:
        """Return the share of F that the learner itself expects to miss on a page."""
        probabilities = self.probabilities(page)
        return 1 - _f(probabilities, probabilities > 0.5, page.characters)


def fit_logistic(rows: Doubles, truth: Truth, weights: Doubles) -> Doubles:
    """Return the weights of a logistic regression, the constant last; both classes have to occur.

    The weighted loss and half the sum of squares of the weights, without the constant, are minimal together.
    """
    with_constant = np.column_stack([rows, np.ones(len(rows))])
    # Next to nothing on the constant: the sums stay invertible where a feature never varies.
    penalty = np.append(np.ones(rows.shape[1]), 1e-9)
    found = np.zeros(len(penalty))
    for _ in range(_MAX_STEPS):
        probabilities = _logistic(rows, found)
        gradient = with_constant.T @ (weights * (probabilities - truth)) + penalty * found
        curvature = (with_constant.T * (weights * probabilities * (1 - probabilities))) @ with_constant
        step = np.linalg.solve(curvature + np.diag(penalty), gradient)
        # A long step may overshoot where the curvature is small.
        found -= step * min(1.0, _LONGEST / max(float(np.abs(step).max()), _LONGEST))
        if np.abs(step).max() < _ENOUGH:
            break
    return found


def _logistic(rows: Doubles, weights: Doubles) -> Doubles:
    answer: Doubles = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1]).clip(-500, 500)))
    return answer


def _f(first: Doubles, second: Truth, characters: Doubles) -> float:
    total = float(first @ characters + characters[second].sum())
    return 2 * float((first * characters)[second].sum()) / total if total else 1.0
