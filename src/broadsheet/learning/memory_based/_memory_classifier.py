"""IB1 and IGTree as scikit-learn estimators.

Features are whole numbers; encode other symbols first, for example with scikit-learn's `OrdinalEncoder`.

Ties are resolved as in TiMBL: if the votes of the k nearest distances tie, the next distance votes as well; if they
still tie, the class of the first vote wins that is more frequent in the training data, or else was read first.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from broadsheet.learning.memory_based._feature_weights import (
    WEIGHTINGS,
    Counts,
    Doubles,
    FeatureCounts,
    Ints,
    Weighting,
)
from broadsheet.models.igtree import IGTree
from broadsheet.models.instance_base import Comparison, InstanceBase


class _MemoryBased(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators share: the encoding of features and classes, and the weights."""

    def __init__(self, weighting: Weighting = "gain_ratio", numeric: Sequence[int] = ()) -> None:
        self.weighting = weighting
        self.numeric = numeric

    def _prepare(self, X: ArrayLike, y: ArrayLike) -> tuple[Ints, Ints]:  # noqa: N803
        if self.weighting not in WEIGHTINGS:
            raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, not {self.weighting!r}")
        features, targets = validate_data(self, X, y)
        self.classes_ = unique_labels(targets)
        codes = np.searchsorted(self.classes_, targets).astype(np.int32)
        rows = as_whole_numbers(features)
        numeric = np.zeros(rows.shape[1], np.bool_)
        numeric[list(self.numeric)] = True
        counts = FeatureCounts.count(rows, codes, len(self.classes_), numeric)
        self.weights_: Doubles = counts.weights(self.weighting)
        self.scales_: Doubles = counts.scales()
        self.rank_: Ints = tie_ranks(counts.class_totals(), np.unique(codes, return_index=True)[1])
        return rows, codes

    def _queries(self, X: ArrayLike) -> Ints:  # noqa: N803
        check_is_fitted(self)
        return as_whole_numbers(validate_data(self, X, reset=False))


class MemoryClassifier(_MemoryBased):
    """IB1: the class of the nearest stored instances.

    - `k`: how many nearest distances vote; all instances at a distance vote together.
    - `weighting`: how much each feature counts.
    - `numeric`: the columns that are numbers; all others are symbols.
    """

    def __init__(self, k: int = 1, weighting: Weighting = "gain_ratio", numeric: Sequence[int] = ()) -> None:
        """Set the parameters; see the class."""
        super().__init__(weighting, numeric)
        self.k = k

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Store instances."""
        rows, codes = self._prepare(X, y)
        self.base_ = InstanceBase.build(rows, codes, len(self.classes_), heaviest_first(self.weights_))
        return self

    def _comparison(self) -> Comparison:
        return Comparison(self.weights_, self.scales_, self.rank_, self.k)

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:  # noqa: N803
        """Return the class of each row."""
        codes = self.base_.classify(self._queries(X), self._comparison())[0]
        classes: NDArray[np.generic] = self.classes_[codes]
        return classes

    def predict_proba(self, X: ArrayLike) -> Doubles:  # noqa: N803
        """Return each class's share of the votes."""
        votes = self.base_.classify(self._queries(X), self._comparison())[1]
        shares: Doubles = votes / votes.sum(axis=1, keepdims=True)
        return shares


class IGTreeClassifier(_MemoryBased):
    """IGTree: the class at the end of the longest path of equal values, the heaviest feature first.

    `numeric` only changes the weights, and so the order of the features: values are compared literally.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Build the tree."""
        rows, codes = self._prepare(X, y)
        order = heaviest_first(self.weights_)
        self.tree_ = IGTree.build(InstanceBase.build(rows, codes, len(self.classes_), order), self.rank_)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:  # noqa: N803
        """Return the class of each row."""
        queries = self._queries(X)
        classes: NDArray[np.generic] = self.classes_[self.tree_.classify(queries)]
        return classes


def as_whole_numbers(features: ArrayLike) -> Ints:
    """Return features as 32-bit integers; raise if one is not a whole number in that range."""
    array = np.asarray(features)
    rows = array.astype(np.int32)
    if not np.array_equal(rows, array):
        raise ValueError("features must be whole numbers of 32 bits: encode other symbols first")
    return np.ascontiguousarray(rows)


def heaviest_first(weights: Doubles) -> Ints:
    """Return the features by falling weight; of equals the first comes first."""
    return np.argsort(-weights, kind="stable").astype(np.int32)


def tie_ranks(totals: Counts, first_read: NDArray[np.integer]) -> Ints:
    """Return the rank of each class in a tie: the more frequent, then the one read first."""
    ranks = np.empty(len(totals), np.int32)
    ranks[np.lexsort((first_read, -totals))] = np.arange(len(totals))
    return ranks
