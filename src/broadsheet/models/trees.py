"""Decision trees and ensembles that give scores or probabilities for several classes."""

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

#: Far beyond any trained baseline; the limit keeps all sums finite.
_LARGEST_BASELINE = 1e30


@dataclass(frozen=True, slots=True, eq=False)
class TreeEnsemble:
    """Trees whose outputs are summed or averaged onto a baseline and turned into probabilities by a link function.

    `softmax` normalizes over classes; `logistic` treats each class independently. Missing features are NaN.
    """

    card: Card
    nodes: TreeNodes
    baseline: Doubles
    combine: Combine = "sum"
    link: Link = "identity"

    def __post_init__(self) -> None:
        """Raise if the parts are inconsistent; the kernel does not check."""
        if self.combine not in get_args(Combine) or self.link not in get_args(Link):
            raise ModelError(f"trees are combined by sum or mean and linked by {', '.join(get_args(Link))}")
        baseline = np.array(self.baseline, dtype=np.float64)
        if baseline.shape != (len(self.card.classes),) or not (np.abs(baseline) <= _LARGEST_BASELINE).all():
            raise ModelError("the baseline must be one finite number per class")
        baseline.setflags(write=False)
        object.__setattr__(self, "baseline", baseline)
        self.nodes.check(len(self.card.features), len(self.card.classes))

    def scores(self, rows: ArrayLike) -> Doubles:
        """Return one score per row and class, before the link function."""
        features = self.features(rows)
        scores: Doubles = np.zeros((len(features), len(self.card.classes)))
        _trees.add_scores(self.nodes, features, scores)
        return self.baseline + self._mean(scores)

    def probabilities(self, rows: ArrayLike) -> Doubles:
        """Return the scores after the link function, per row and class."""
        return apply_link(self.scores(rows), self.link)

    def contributions(self, rows: ArrayLike) -> Doubles:
        """Return how far each feature moved each score: by row, class and feature.

        Each step down a tree changes the expected output from the mean of a node to the mean of its child; the change
        is credited to the feature tested at the node. Sums over features differ between rows exactly as scores do.
        """
        features = self.features(rows)
        contributions: Doubles = np.zeros((len(features), len(self.card.classes), features.shape[1]))
        _trees.add_contributions(self.nodes, features, contributions)
        return self._mean(contributions)

    def features(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return rows as the contiguous float32 that the kernel takes; raise if their number of features is wrong."""
        features = np.ascontiguousarray(rows, dtype=np.float32)
        if features.ndim != 2 or features.shape[1] != len(self.card.features):
            raise ModelError(f"{self.card.label} takes rows of {len(self.card.features)} features")
        return features

    def _mean(self, sums: Doubles) -> Doubles:
        """Return sums over all trees as their mean, if trees are combined like that."""
        return sums / len(self.nodes.root) if self.combine == "mean" else sums


def apply_link(scores: Doubles, link: Link) -> Doubles:
    """Turn scores into probabilities; the identity returns them as they are."""
    if link == "identity":
        return scores
    if link == "logistic":
        # exp of a non-positive number cannot overflow.
        decayed = np.exp(-np.abs(scores))
        sigmoid: Doubles = np.where(scores >= 0, 1, decayed) / (1 + decayed)
        return sigmoid
    shifted = np.exp(scores - np.maximum.reduce(scores, axis=1, keepdims=True))
    probabilities: Doubles = shifted / np.add.reduce(shifted, axis=1, keepdims=True)
    return probabilities
