"""Voting over all subsets of the features."""

from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.subset_voting import MAX_FEATURES, SubsetVoting

KINDS = np.array(["article", "other", "section"])


class Scripted(ClassifierMixin, BaseEstimator):  # type: ignore[misc] # they are untyped
    """Votes for the kind with the largest sum of its features, each of which names a kind and how sure it is."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        self.classes_, self.n_features_in_ = np.unique(np.asarray(y)), np.asarray(X).shape[1]
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:  # noqa: N803
        rows = np.asarray(X)
        sums = np.stack([np.where(rows // 1 == kind, rows % 1, 0).sum(axis=1) for kind in range(3)], axis=1)
        return np.asarray(sums / sums.sum(axis=1, keepdims=True), np.float64)

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def scripted(*features: float) -> SubsetVoting:
    return SubsetVoting(Scripted()).fit(np.tile(features, (3, 1)), KINDS)


@pytest.mark.parametrize(("features", "voters"), [(1, 1), (2, 3), (3, 7), (4, 15)])
def test_every_combination_of_features_has_a_voter(features: int, voters: int) -> None:
    rows = np.random.default_rng(0).normal(size=(20, features))

    voting = SubsetVoting().fit(rows, np.arange(20) % 2)

    assert len(voting.voters_) == len(set(voting.subsets_)) == voters
    assert isinstance(voting.voters_[0], C45Classifier)


def test_the_majority_decides() -> None:
    # Alone and together, the first two outvote the third: 5 of 7 voters.
    voting = scripted(0.3, 0.3, 2.4)

    assert voting.votes([[0.3, 0.3, 2.4]]).tolist() == [[4, 0, 3]]
    assert voting.predict([[0.3, 0.3, 2.4]]).tolist() == ["article"]


def test_equal_votes_are_decided_by_the_sum_of_probabilities() -> None:
    # {0}, {0,1}, {0,2} say article and {1}, {1,2}, {0,1,2} section: 3 to 3 of 7, and {2} says other.
    voting = scripted(0.3, 2.2, 1.1)
    voting.voters_ = [Fixed(*each) for each in [(0.9, 0, 0.1), (0, 0, 1), (0, 1, 0), (0.6, 0, 0.4), (0.6, 0, 0.4)]]
    voting.voters_ += [Fixed(0.1, 0, 0.9), Fixed(0.1, 0, 0.9)]

    assert voting.votes([[0, 0, 0]]).tolist() == [[3, 1, 3]]
    assert voting.predict([[0, 0, 0]]).tolist() == ["section"]


def test_equal_sums_are_decided_by_the_voter_with_all_features() -> None:
    voting = scripted(0.3, 2.2, 1.1)
    voting.voters_ = [Fixed(1, 0, 0)] * 3 + [Fixed(0, 1, 0)] + [Fixed(0, 0, 1)] * 3

    assert voting.predict([[0, 0, 0]]).tolist() == ["section"]


class Fixed:
    """A voter that always says the same."""

    def __init__(self, *probabilities: float) -> None:
        self.probabilities = probabilities

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:  # noqa: N803
        return np.tile(self.probabilities, (len(np.asarray(X)), 1))

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        return np.asarray(KINDS[self.predict_proba(X).argmax(axis=1)])


def test_a_voter_without_any_knowledge_has_no_weight() -> None:
    generator = np.random.default_rng(1)
    truth = np.arange(60) % 2
    rows = np.column_stack((truth + generator.normal(0, 0.1, 60), generator.normal(size=60)))

    voting = SubsetVoting(DecisionTreeClassifier(max_depth=2, random_state=0), weighted=True).fit(rows, truth)

    informed, blind, both = voting.weights_.tolist()
    assert blind < 1 < informed
    assert both > 1


def test_with_three_classes_a_voter_that_is_right_less_than_half_the_time_still_has_weight() -> None:
    generator = np.random.default_rng(2)
    truth = np.arange(300) % 3
    told = np.where(generator.random(300) < 0.15, truth, generator.integers(0, 3, 300))
    rows = told[:, None].astype(float)

    voting = SubsetVoting(DecisionTreeClassifier(random_state=0), weighted=True).fit(rows, truth)

    assert np.mean(voting.predict(rows) == truth) < 0.5
    assert voting.weights_[0] > 0.2


def test_missing_values_are_the_classifier_s_affair() -> None:
    rows = [[0.0, np.nan], [0.1, 1.0], [0.9, np.nan], [1.0, 1.0]] * 5

    assert SubsetVoting().fit(rows, [0, 0, 1, 1] * 5).predict([[0.05, np.nan]]).tolist() == [0]


def test_too_many_features_are_refused() -> None:
    with pytest.raises(InputError, match=f"at most {MAX_FEATURES} features, not {MAX_FEATURES + 1}"):
        SubsetVoting().fit(np.zeros((4, MAX_FEATURES + 1)), [0, 1, 0, 1])
