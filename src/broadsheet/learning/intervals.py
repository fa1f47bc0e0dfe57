"""The range in which a figure would lie on other pages of the same kind, by drawing them anew (the bootstrap)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadsheet.base.errors import InputError

#: How often the pages are drawn anew.
DRAWS = 1_000
#: Percentiles between which 95 of 100 draws lie.
ENDS = (2.5, 97.5)
#: Draws held in memory at once; more pages would not fit otherwise.
_DRAWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure, and the ends between which 95 of 100 draws of the pages put it."""

    value: float
    low: float
    high: float


def drawn(size: int, draws: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Give draws with replacement of as many rows as there are, a row of row numbers per draw, some at a time."""
    generator = np.random.default_rng(seed)
    for done in range(0, draws, _DRAWS_AT_ONCE):
        yield generator.integers(0, size, (min(_DRAWS_AT_ONCE, draws - done), size))


def bootstrap(values: Sequence[float], seed: int = 0, draws: int = DRAWS) -> Interval:
    """Return the mean of values with its interval."""
    column = np.array(values, np.float64)
    means = np.concatenate([column[rows].mean(axis=1) for rows in drawn(len(column), draws, seed)])
    low, high = np.percentile(means, ENDS)
    return Interval(float(column.mean()), float(low), float(high))


def bootstrap_by_group(
    score: Callable[..., float], groups: ArrayLike, *columns: ArrayLike, seed: int = 0, draws: int = DRAWS
) -> Interval:
    """Return a score of some columns with its interval, where whole groups are drawn.

    Pages of one site are alike, and to draw them singly would promise too much.
    """
    data: list[NDArray[Any]] = [np.asarray(column) for column in columns]
    names = np.asarray(groups)
    if not names.size or not data or any(len(column) != len(names) for column in data):
        raise InputError("the columns are none, empty, or differ in length from the groups")
    _, which = np.unique(names, return_inverse=True)
    members = np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
    scores = []
    for some in drawn(len(members), draws, seed):
        for chosen in some:
            rows = np.concatenate([members[group] for group in chosen])
            scores.append(score(*(column[rows] for column in data)))
    low, high = np.percentile(scores, ENDS)
    return Interval(float(score(*data)), float(low), float(high))
