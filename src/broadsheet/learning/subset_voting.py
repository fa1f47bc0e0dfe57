"""Voting over all subsets of the features: one classifier per subset, the majority decides (D'Onofrio, 2018).

With two classes the odd number of voters, 2ⁿ - 1, rules out ties. With three classes they happen: then the class
with the larger sum of probabilities wins, and if these are equal, too, the one that the voter with all features chose.
"""

from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import C45Classifier

#: 1,023 voters; each further feature doubles them.
MAX_FEATURES = 10
#: A voter's reliability is its accuracy on cases that it was not fitted to, in this many folds.
RELIABILITY_FOLDS = 3

Floats = NDArray[np.float64]


class SubsetVoting(ClassifierMixin, BaseEstimator):  # type: ignore[misc] # they are untyped
    """Fits a classifier to every non-empty subset of the features, and lets all of them vote."""

    classes_: NDArray[Any]
    subsets_: list[tuple[int, ...]]
    voters_: list[Any]
    #: The weight of each vote; 1 unless votes are weighted.
    weights_: Floats
    n_features_in_: int

    def __init__(self, estimator: Any = None, *, weighted: bool = False) -> None:  # noqa: ANN401 - any classifier
        """Take the classifier, C4.5 if None; `weighted` counts votes by the logarithm of the odds of being right."""
        self.estimator = estimator
        self.weighted = weighted

    def __sklearn_tags__(self) -> Tags:
        """Declare that missing values are supported, as far as the classifier supports them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Fit all voters; weights of cases are passed on to the classifier."""
        table, classes = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(classes)
        if self.n_features_in_ > MAX_FEATURES:
            raise InputError(f"voting takes at most {MAX_FEATURES} features, not {self.n_features_in_}")
        self.classes_ = np.unique(classes)
        numbers = range(self.n_features_in_)
        self.subsets_ = [subset for size in numbers for subset in combinations(numbers, size + 1)]
        base = self.estimator if self.estimator is not None else C45Classifier()
        weights = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight, np.float64)}
        self.voters_ = [clone(base).fit(table[:, subset], classes, **weights) for subset in self.subsets_]
        self.weights_ = np.ones(len(self.subsets_))
        if self.weighted:
            self.weights_ = np.array(
                [_reliability(base, table[:, subset], classes, weights) for subset in self.subsets_]
            )
        return self

    def votes(self, X: ArrayLike) -> Floats:  # noqa: N803 - scikit-learn's name
        """Return the sum of the votes for each class, by row."""
        table = self._table(X)
        total = np.zeros((len(table), len(self.classes_)))
        for subset, voter, weight in zip(self.subsets_, self.voters_, self.weights_, strict=True):
            total += weight * (voter.predict(table[:, subset])[:, None] == self.classes_)
        return total

    def predict_proba(self, X: ArrayLike) -> Floats:  # noqa: N803 - scikit-learn's name
        """Return the mean of the voters' probabilities."""
        table = self._table(X)
        total = np.zeros((len(table), len(self.classes_)))
        for subset, voter, weight in zip(self.subsets_, self.voters_, self.weights_, strict=True):
            total += weight * voter.predict_proba(table[:, subset])
        means: Floats = total / np.maximum(total.sum(axis=1, keepdims=True), 1e-12)
        return means

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803 - scikit-learn's name
        """Return the class with the most votes; ties are broken as the module says."""
        table = self._table(X)
        votes, probabilities = self.votes(table), self.predict_proba(table)
        leading = np.isclose(votes, votes.max(axis=1, keepdims=True))
        sums = np.where(leading, probabilities, -1)
        best = np.isclose(sums, sums.max(axis=1, keepdims=True))
        full = self.voters_[-1].predict(table)[:, None] == self.classes_
        # Of those that are still equal, the one of the voter with all features; else the first.
        chosen = np.where((best & full).any(axis=1), (best & full).argmax(axis=1), best.argmax(axis=1))
        found: NDArray[Any] = self.classes_[chosen]
        return found

    def _table(self, X: ArrayLike) -> Floats:  # noqa: N803 - scikit-learn's name
        check_is_fitted(self, "voters_")
        table: Floats = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        return table


def _reliability(base: Any, table: Floats, y: NDArray[Any], weights: dict[str, Floats]) -> float:  # noqa: ANN401 - any classifier
    """Return the logarithm of the odds that a voter is right, against those of guessing; at least 0."""
    folds = min(RELIABILITY_FOLDS, int(np.unique(y, return_counts=True)[1].min()))
    if folds < 2:
        return 1.0
    said = cross_val_predict(clone(base), table, y, cv=folds, params=weights)
    right = float(np.clip(np.average(said == y, weights=weights.get("sample_weight")), 0.01, 0.99))
    return max(float(np.log(right / (1 - right)) + np.log(len(np.unique(y)) - 1)), 0.0)
