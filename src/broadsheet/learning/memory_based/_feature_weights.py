"""How much each feature says about the class: the weights of TiMBL.

Numbers are put into 20 bins with about equally many distinct values before their weights are computed.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Counts = NDArray[np.int64]
Doubles = NDArray[np.float64]

Weighting = Literal["none", "gain_ratio", "information_gain", "chi_square", "shared_variance"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)

#: The number of bins for numbers.
BINS = 20


@dataclass(frozen=True, slots=True, eq=False)
class FeatureCounts:
    """How often each value of each feature occurs with each class.

    The counts of feature `f` are the rows `[start[f], start[f + 1])` of `counts`, in ascending order of `values`.
    """

    values: Ints
    counts: Counts
    start: NDArray[np.intp]
    numeric: NDArray[np.bool_]

    @classmethod
    def count(cls, features: Ints, codes: Ints, class_count: int, numeric: NDArray[np.bool_]) -> "FeatureCounts":
        """Count the values of instances whose classes have these codes."""
        values, tables = [], []
        for column in features.T:
            distinct, places = np.unique(column, return_inverse=True)
            cells = np.bincount(places * class_count + codes, minlength=len(distinct) * class_count)
            values.append(distinct)
            tables.append(cells.reshape(len(distinct), class_count))
        start = np.cumsum([0] + [len(table) for table in tables])
        return cls(np.concatenate(values), np.concatenate(tables), start, numeric)

    def without(self, features: Ints, codes: Ints) -> "FeatureCounts":
        """Return the counts without some of the instances that were counted."""
        counts = self.counts.copy()
        for feature, column in enumerate(features.T):
            here = slice(self.start[feature], self.start[feature + 1])
            places = np.searchsorted(self.values[here], column) + self.start[feature]
            np.subtract.at(counts, (places, codes), 1)
        return FeatureCounts(self.values, counts, self.start, self.numeric)

    def table(self, feature: int) -> Counts:
        """Return the counts of one feature by value and class, without values that do not occur."""
        counts = self.counts[self.start[feature] : self.start[feature + 1]]
        counts = counts[counts.any(axis=1)]
        return binned(counts) if self.numeric[feature] else counts

    def scales(self) -> Doubles:
        """Return the range of each number, and 0 for symbols and for numbers with a single value."""
        scales = np.zeros(len(self.numeric))
        for feature in np.flatnonzero(self.numeric):
            here = slice(self.start[feature], self.start[feature + 1])
            present = self.values[here][self.counts[here].any(axis=1)]
            scales[feature] = float(present[-1]) - float(present[0])
        return scales

    def weights(self, weighting: Weighting) -> Doubles:
        """Return one weight per feature."""
        if weighting == "none":
            return np.ones(len(self.numeric))
        weigh = {
            "gain_ratio": gain_ratio,
            "information_gain": information_gain,
            "chi_square": chi_square,
            "shared_variance": shared_variance,
        }[weighting]
        return np.array([weigh(self.table(feature)) for feature in range(len(self.numeric))])

    def class_totals(self) -> Counts:
        """Return how often each class occurs."""
        totals: Counts = self.counts[: self.start[1]].sum(axis=0)
        return totals


def binned(counts: Counts) -> Counts:
    """Merge the values of a number, in ascending order, into bins; the first ones get one more if need be."""
    size, extra = divmod(len(counts), BINS)
    sizes = np.full(BINS, size)
    sizes[:extra] += 1
    starts = np.cumsum(sizes[sizes > 0])[:-1]
    merged: Counts = np.add.reduceat(counts, np.concatenate([[0], starts]), axis=0)
    return merged


def entropy(counts: Counts) -> float:
    """Return the entropy of a distribution in bits."""
    present = np.asarray(counts, np.float64)
    present = present[present > 0]
    shares = present / present.sum()
    return float(-(shares * np.log2(shares)).sum())


def information_gain(table: Counts) -> float:
    """Return how many bits a feature says about the class."""
    rows = table.sum(axis=1, keepdims=True)
    shares = np.where(table > 0, table / rows, 1.0)
    within = -(table * np.log2(shares)).sum() / rows.sum()
    return max(0.0, entropy(table.sum(axis=0)) - float(within))


def gain_ratio(table: Counts) -> float:
    """Return the information gain, divided by the entropy of the feature's own values."""
    split = entropy(table.sum(axis=1))
    return information_gain(table) / split if split > np.finfo(np.float64).eps else 0.0


def chi_square(table: Counts) -> float:
    """Return the chi-square statistic of feature and class."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    expected = np.outer(rows, columns[columns > 0]) / table.sum()
    return float((((expected - table[:, columns > 0]) ** 2) / expected).sum())


def shared_variance(table: Counts) -> float:
    """Return the chi-square statistic, corrected for the numbers of instances, values and classes."""
    freedom = min(len(table), int((table.sum(axis=0) > 0).sum())) - 1
    return chi_square(table) / (float(table.sum()) * freedom) if freedom > 0 else 0.0
