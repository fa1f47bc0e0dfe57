"""Trees and ensembles of trees that answer with scores or probabilities for several classes."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadsheet.models import _trees
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.nodes import TreeNodes

Combine = Literal["sum", "mean"]
Link = Literal["identity", "logistic", "softmax"]

Doubles = NDArray[np.float64]

#: Beyond this no training leads; it keeps all sums finite.
_LARGEST_BASELINE = 1e30


@dataclass(frozen=True, slots=True, eq=False)
class TreeEnsemble:
    """Trees whose answers are summed or averaged onto a baseline, and turned into probabilities by a link.

    `softmax` and `logistic` answer for each class; with `logistic` each class stands alone, as it does where there is
    one class and its opposite. Missing features are NaN.
    """

    card: Card
    nodes: TreeNodes
    baseline: Doubles
    combine: Combine = "sum"
    link: Link = "identity"

    def __post_init__(self) -> None:
        """Refuse what does not fit together; the kernel relies on it."""
        if self.combine not in get_args(Combine) or self.link not in get_args(Link):
            raise ModelError(f"trees are combined by sum or mean and linked by {', '.join(get_args(Link))}")
        baseline = np.array(self.baseline, dtype=np.float64)
        if baseline.shape != (len(self.card.classes),) or not (np.abs(baseline) <= _LARGEST_BASELINE).all():
            raise ModelError("the baseline is one number per class")
        baseline.setflags(write=False)
        object.__setattr__(self, "baseline", baseline)
        self.nodes.check(len(self.card.features), len(self.card.classes))

    def scores(self, rows: ArrayLike) -> Doubles:
        """Return a score per row of features and class, before the link."""
        features = self.features(rows)
        scores: Doubles = np.zeros((len(features), len(self.card.classes)))
        _trees.add_scores(self.nodes, features, scores)
        return self._combined(scores)

    def probabilities(self, rows: ArrayLike) -> Doubles:
        """Return what the link makes of the scores."""
        return linked(self.scores(rows), self.link)

    def contributions(self, rows: ArrayLike) -> Doubles:
        """Return how far each feature moved each score: by row, class and feature.

        A step down a tree moves its answer from the mean of what lay below to the mean of what still does; the step is
        credited to the feature that was asked for. The sums over features differ between rows exactly as scores do.
        """
        features = self.features(rows)
        moved: Doubles = np.zeros((len(features), len(self.card.classes), features.shape[1]))
        _trees.add_contributions(self.nodes, features, moved)
        return moved / self._divisor

    def features(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return rows of features as the kernel takes them; a wrong number of features is refused."""
        features = np.ascontiguousarray(rows, dtype=np.float32)
        if features.ndim != 2 or features.shape[1] != len(self.card.features):
            raise ModelError(f"{self.card.label} takes rows of {len(self.card.features)} features")
        return features

    @property
    def _divisor(self) -> int:
        return len(self.nodes.root) if self.combine == "mean" else 1

    def _combined(self, summed: Doubles) -> Doubles:
        return self.baseline + summed / self._divisor


def linked(scores: Doubles, link: Link) -> Doubles:
    """Return the probabilities that scores stand for; with the identity the scores themselves."""
    if link == "identity":
        return scores
    if link == "logistic":
        # exp of what is never positive: no overflow on either side.
        smaller = np.exp(-np.abs(scores))
        alone: Doubles = np.where(scores >= 0, 1, smaller) / (1 + smaller)
        return alone
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Doubles = shifted / shifted.sum(axis=1, keepdims=True)
    return probabilities
