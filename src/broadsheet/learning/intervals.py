"""Confidence intervals by the bootstrap."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadsheet.base.errors import InputError

#: The default number of resamples.
RESAMPLES = 1_000
#: The percentiles of a 95% interval.
PERCENTILES = (2.5, 97.5)
#: Resamples in memory at once; all of them would not fit for many pages.
_RESAMPLES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% bootstrap confidence interval."""

    value: float
    low: float
    high: float


def resamples(size: int, count: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield arrays of row indices resamples with replacement, one row per resample, in chunks."""
    rng = np.random.default_rng(seed)
    for done in range(0, count, _RESAMPLES_AT_ONCE):
        yield rng.integers(0, size, (min(_RESAMPLES_AT_ONCE, count - done), size))


def bootstrap(values: Sequence[float], seed: int = 0, count: int = RESAMPLES) -> Interval:
    """Return the mean of some values with its interval."""
    column = np.array(values, np.float64)
    means = np.concatenate([column[rows].mean(axis=1) for rows in resamples(len(column), count, seed)])
    low, high = np.percentile(means, PERCENTILES)
    return Interval(float(column.mean()), float(low), float(high))


def bootstrap_by_group(
    score: Callable[..., float], groups: ArrayLike, *columns: ArrayLike, seed: int = 0, count: int = RESAMPLES
) -> Interval:
    """Return a score of some columns with its interval, resampling whole groups.

    Pages of one site are similar: resampling them one by one would make the interval too narrow.
    """
    data: list[NDArray[Any]] = [np.asarray(column) for column in columns]
    names = np.asarray(groups)
    if not names.size or not data or any(len(column) != len(names) for column in data):
        raise InputError("a bootstrap needs at least one column, as long as the groups and not empty")
    _, group_of_row = np.unique(names, return_inverse=True)
    members = np.split(np.argsort(group_of_row, kind="stable"), np.cumsum(np.bincount(group_of_row))[:-1])
    scores = []
    for chunk in resamples(len(members), count, seed):
        for chosen in chunk:
            rows = np.concatenate([members[group] for group in chosen])
            scores.append(score(*(column[rows] for column in data)))
    low, high = np.percentile(scores, PERCENTILES)
    return Interval(float(score(*data)), float(low), float(high))
