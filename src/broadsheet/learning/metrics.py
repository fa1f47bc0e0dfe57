"""Measures of classifiers that scikit-learn lacks: calibration, significance and intervals.

Balanced accuracy, precision, recall and F by class and their macro means are scikit-learn's (`sklearn.metrics`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from broadsheet.base.errors import InputError


@dataclass(frozen=True)
class Significance:
    """How sure it is that one of two learners is better."""

    #: The mean difference of their scores.
    difference: float
    t: float
    #: The two-sided probability of a difference this large between equals.
    p: float


@dataclass(frozen=True)
class Interval:
    """A score and the range in which it would lie on other data of the same kind."""

    score: float
    low: float
    high: float


def expected_calibration_error(truth: ArrayLike, probabilities: ArrayLike, labels: ArrayLike, bins: int = 10) -> float:
    """Return how far stated confidence is from accuracy, on average over bins of equal width, weighted by their rows.

    `labels` names the columns of `probabilities`, as a classifier's `classes_` does.
    """
    stated = np.asarray(probabilities, dtype=np.float64)
    names, classes = np.asarray(labels), np.asarray(truth)
    if bins < 1:
        raise InputError(f"there must be 1 bin or more, not {bins}")
    if stated.shape != (len(classes), len(names)) or not len(classes):
        raise InputError(f"probabilities of {stated.shape} do not fit {len(classes)} rows, {len(names)} labels")
    confidence = stated.max(axis=1)
    right = (names[stated.argmax(axis=1)] == classes).astype(np.float64)
    # A confidence of 1 belongs to the last bin.
    where = np.clip((confidence * bins).astype(np.intp), 0, bins - 1)
    gaps = np.bincount(where, confidence - right, minlength=bins)
    return float(np.abs(gaps).sum() / len(classes))


def corrected_resampled_t_test(first: ArrayLike, second: ArrayLike, test_to_train: float) -> Significance:
    """Compare two learners' scores on the same resampled splits, allowing for the overlap of their training data.

    `test_to_train` is the size of a test part over that of its training part: 1/9 for ten folds. The plain paired
    t-test takes overlapping splits for independent ones and finds differences where there are none (Nadeau and Bengio).
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape or len(one) < 2:
        raise InputError("two scores or more are needed, as many of one learner as of the other")
    if not test_to_train > 0:
        raise InputError(f"test_to_train is above 0, not {test_to_train!r}")
    differences = one - other
    mean = float(differences.mean())
    spread = math.sqrt((1 / len(one) + test_to_train) * float(differences.var(ddof=1)))
    if spread == 0:
        return Significance(mean, math.copysign(math.inf, mean) if mean else 0.0, 0.0 if mean else 1.0)
    t = mean / spread
    return Significance(mean, t, 2 * float(stdtr(len(one) - 1, -abs(t))))


def bootstrap_interval(
    score: Callable[..., float],
    *columns: ArrayLike,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """Return a score with its percentile interval, drawing rows with replacement.

    With `groups` whole groups are drawn: pages of one site are alike, and to draw them singly would promise too much.
    """
    data: list[NDArray[Any]] = [np.asarray(column) for column in columns]
    if not data or not len(data[0]) or any(len(column) != len(data[0]) for column in data):
        raise InputError("the columns are none, empty, or differ in length")
    if not 0 < level < 1 or resamples < 1:
        raise InputError("level lies between 0 and 1, and resamples is 1 or more")
    members = _members(groups, len(data[0]))
    generator = np.random.default_rng(seed)
    scores = []
    for _ in range(resamples):
        drawn = generator.integers(0, len(members), len(members))
        rows = np.concatenate([members[index] for index in drawn])
        scores.append(score(*(column[rows] for column in data)))
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(score(*data)), float(low), float(high))


def _members(groups: ArrayLike | None, count: int) -> list[NDArray[np.intp]]:
    """Return the rows of each group; without groups, each row is one."""
    if groups is None:
        return list(np.arange(count)[:, None])
    names = np.asarray(groups)
    if names.shape != (count,):
        raise InputError(f"{names.shape} groups were given for {count} rows")
    _, which = np.unique(names, return_inverse=True)
    return np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
