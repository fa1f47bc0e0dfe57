"""The search for the best split of a node."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.learning.c45._cuts import Cuts, find_cuts, first_best, gains_times_weight
from broadsheet.learning.c45._entropy import SMALL, Floats, gain, gain_ratio
from broadsheet.learning.c45._tree import Integers, tally
from broadsheet.learning.c45._tree_settings import TreeSettings

#: Candidates are evaluated for this many cells at a time, which fit into the processor's cache.
CELLS_AT_ONCE = 1 << 16
#: Numeric branches need this share of the mean weight of a class, between `min_leaf` and the cap below.
MIN_PART, MIN_CAP = 0.1, 25.0
#: Tolerance below the average gain.
AVERAGE_SLACK = 1e-3
#: A nominal feature with more values than this share of all cases does not count towards the average gain.
MANY_VALUES = 0.3


@dataclass(frozen=True)
class Split:
    """A test on one feature and its score."""

    feature: int
    #: NaN for a nominal test.
    threshold: float
    gain: float
    ratio: float


@dataclass(frozen=True)
class Sample:
    """The cases at one node, with their order along every numeric feature."""

    rows: Integers
    weights: Floats
    #: One row per numeric feature: the cases by ascending value, missing values last.
    order: NDArray[np.int32]

    def take(self, chosen: NDArray[np.bool_], weights: Floats, marks: NDArray[np.bool_]) -> "Sample":
        """Select some of the cases; every row keeps its order, so nothing is sorted twice.

        `marks` is room for one mark a row of the data, none set.
        """
        rows = self.rows[chosen]
        marks[rows] = True
        order = self.order[marks[self.order]].reshape(len(self.order), len(rows))
        marks[rows] = False
        return Sample(rows, weights[chosen], order)


class SplitSearch:
    """Finds the best test for the cases of a node."""

    def __init__(
        self, values: Floats, categories: Integers, classes: Integers, count: int, settings: TreeSettings
    ) -> None:
        """Take the data as one row per feature, the number of values of each (0: numeric), and each case's class."""
        self.values = values
        self.categories = categories
        self.classes = classes
        self.class_count = count
        self.settings = settings
        self.numeric = np.flatnonzero(categories == 0)
        self.nominal = np.flatnonzero(categories)
        self.gappy = bool(np.isnan(values).any())
        self._observed = {int(feature): np.unique(values[feature]) for feature in self.numeric}
        many = MANY_VALUES * values.shape[1]
        self._counts_to_average = (categories == 0) | (categories < many)
        if not self._counts_to_average.any():
            self._counts_to_average[:] = True

    def start(self, weights: Floats) -> Sample:
        """Return all cases, sorted once along every numeric feature."""
        order = np.empty((len(self.numeric), len(weights)), dtype=np.int32)
        for line, feature in enumerate(self.numeric):
            order[line] = np.argsort(self.values[feature], kind="stable")
        return Sample(np.arange(self.values.shape[1]), weights, order)

    def best(self, sample: Sample) -> Split | None:
        """Return the best split, or None if the node should be a leaf."""
        weights = tally(self.classes[sample.rows], sample.weights, self.class_count)
        total = float(weights.sum())
        if total < 2 * self.settings.min_leaf - SMALL or total - weights.max() < SMALL:
            return None
        numeric = self._numeric_splits(sample, np.flatnonzero(weights))
        found = sorted([*numeric, *self._nominal_splits(sample)], key=_feature)
        counted = [split.gain for split in found if self._counts_to_average[split.feature]]
        if not counted:
            return None
        least = sum(counted) / len(counted) - AVERAGE_SLACK if self.settings.average_gain_filter else -math.inf
        best, score = None, 0.0
        for split in found:
            worth = split.ratio if self.settings.criterion == "gain_ratio" else split.gain
            if split.gain >= least and worth > score + SMALL:
                best, score = split, worth
        return best

    def _nominal_splits(self, sample: Sample) -> Iterator[Split]:
        """Yield the split by each nominal feature with at least two large enough branches."""
        classes = self.classes[sample.rows]
        for feature in self.nominal:
            value = self.values[feature, sample.rows]
            known = ~np.isnan(value)
            cell = value[known].astype(np.intp) * self.class_count + classes[known]
            size = self.categories[feature] * self.class_count
            table = tally(cell, sample.weights[known], size).reshape(-1, self.class_count)
            branches = table.sum(axis=1)
            if np.count_nonzero(branches >= self.settings.min_leaf - SMALL) > 1:
                unknown = float(sample.weights[~known].sum())
                gained = gain(table, unknown)
                yield Split(int(feature), math.nan, gained, gain_ratio(gained, branches, unknown))

    def _numeric_splits(self, sample: Sample, present: Integers) -> Iterator[Split]:
        """Yield the best split by each numeric feature that has one."""
        total = float(sample.weights.sum())
        weight_of = np.empty(self.values.shape[1])
        weight_of[sample.rows] = sample.weights
        lines = max(1, CELLS_AT_ONCE // len(sample.rows))
        for start in range(0, len(self.numeric), lines):
            features, rows = self.numeric[start : start + lines], sample.order[start : start + lines]
            values = self.values[features[:, None], rows]
            weights = weight_of[rows]
            if self.gappy:
                weights[np.isnan(values)] = 0.0
            cuts = find_cuts(values, weights, self._least(weights.sum(axis=1)), self.settings.resolution)
            gains = gains_times_weight(self.classes[rows], weights, cuts, present) / total
            yield from self._best_cuts(features, values, cuts, gains, total)

    def _best_cuts(
        self, features: Integers, values: Floats, cuts: Cuts, gains: Floats, total: float
    ) -> Iterator[Split]:
        """Yield the best cut of each feature, if it gains anything."""
        ends = np.searchsorted(cuts.line, np.arange(len(features) + 1))
        for index, feature in enumerate(features):
            begin, end = ends[index], ends[index + 1]
            if begin == end:
                continue
            chosen = begin + first_best(gains[begin:end])
            worth = float(gains[chosen])
            if self.settings.mdl_correction:
                worth -= math.log2(end - begin) / total
            if worth < SMALL:
                continue
            known, below, place = cuts.known[index], cuts.below[chosen], cuts.place[chosen]
            ratio = gain_ratio(worth, [below, known - below], max(total - known, 0.0))
            threshold = self._threshold(int(feature), values[index, place], values[index, place + 1])
            yield Split(int(feature), threshold, worth, ratio)

    def _least(self, known: Floats) -> Floats:
        """Return the weight that both branches of a numeric split need."""
        least = self.settings.min_leaf
        if not self.settings.scaled_min_leaf:
            return np.full(len(known), least)
        return np.maximum(np.minimum(MIN_PART * known / self.class_count, MIN_CAP), least)

    def _threshold(self, feature: int, lower: float, upper: float) -> float:
        """Return the cut between two neighbouring values: the largest training value up to their midpoint."""
        middle = lower / 2 + upper / 2
        if not lower <= middle < upper:
            middle = lower
        if not self.settings.observed_thresholds:
            return float(middle)
        observed = self._observed[feature]
        return float(observed[np.searchsorted(observed, middle, side="right") - 1])


def _feature(split: Split) -> int:
    """Return the sort key of a split; the first feature wins a tie."""
    return split.feature
