"""Cross-validation that leaves out one group of instances at a time, such as a page or a site.

Everything is stored once. For each group its instances are taken out of the counts, from which the weights, the ranks
of the classes and the neighbours follow exactly as if the others alone had been stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from broadsheet.learning.memory_based._common_beginnings import CommonBeginnings
from broadsheet.learning.memory_based._feature_weights import FeatureCounts, Ints, Weighting
from broadsheet.learning.memory_based._memory_classifier import heaviest_first, tie_ranks
from broadsheet.models.instance_base import Comparison, InstanceBase, store
from broadsheet.models.setting_grid import SettingGrid

Algorithm = Literal["ib1", "igtree"]

#: How many orders of the features are kept sorted at the same time, which bounds the memory.
MAX_ORDERS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One group that is left out, its instances that are classified, and how they are compared with all others."""

    group: int
    left_out: Ints
    members: Ints
    comparison: Comparison


class GroupHoldout:
    """Instances in groups, each of which is classified by all the others."""

    def __init__(  # noqa: PLR0913 - the instances, and what they are
        self,
        features: Ints,
        codes: Ints,
        groups: Ints,
        *,
        class_count: int,
        numeric: Sequence[int] = (),
        tested: NDArray[np.bool_] | None = None,
    ) -> None:
        """Count the instances; `numeric` are the columns that are numbers, `tested` the instances to classify."""
        self.names: tuple[int, ...] = tuple(np.unique(groups).tolist())
        if len(self.names) < 2:
            raise ValueError("cross-validation needs at least two groups")
        self.features, self.codes, self.groups, self.class_count = features, codes, groups, class_count
        self._tested = np.ones(len(codes), np.bool_) if tested is None else tested
        is_numeric = np.zeros(features.shape[1], np.bool_)
        is_numeric[list(numeric)] = True
        self._counts = FeatureCounts.count(features, codes, class_count, is_numeric)
        self._first_read = self._first_places()

    def folds(self, weighting: Weighting, groups: Sequence[int] | None = None) -> Iterator[Fold]:
        """Yield all groups, or the given ones, with the weights that hold without them."""
        for group in self.names if groups is None else groups:
            left_out = np.flatnonzero(self.groups == group).astype(np.int32)
            counts = self._counts.without(self.features[left_out], self.codes[left_out])
            others = np.delete(self._first_read, group, axis=0).min(axis=0)
            rank = tie_ranks(counts.class_totals(), others)
            comparison = Comparison(counts.weights(weighting), counts.scales(), rank)
            yield Fold(group, left_out, left_out[self._tested[left_out]], comparison)

    def predict(self, weighting: Weighting, k: int = 1, algorithm: Algorithm = "ib1") -> Ints:
        """Return the code of the class of every instance, as the other groups give it; -1 for those not tested."""
        result = np.full(len(self.codes), -1, np.int32)
        for fold, codes in self.classified(weighting, k, algorithm):
            result[fold.members] = codes
        return result

    def classified(
        self, weighting: Weighting, k: int = 1, algorithm: Algorithm = "ib1", groups: Sequence[int] | None = None
    ) -> Iterator[tuple[Fold, Ints]]:
        """Yield all groups, or the given ones, with the classes of their instances."""
        if algorithm == "ib1":
            return ((fold, codes) for fold, codes, _ in self.voted(weighting, k, groups))
        return self._by_tree(weighting, groups)

    def voted(
        self, weighting: Weighting, k: int = 1, groups: Sequence[int] | None = None
    ) -> Iterator[tuple[Fold, Ints, Ints]]:
        """Yield all groups, or the given ones, with the classes of their instances and the votes per class, by IB1."""
        base, entries = self._stored(weighting)
        row_of = (np.searchsorted(base.first, entries, "right") - 1).astype(np.int32)
        for fold in self.folds(weighting, groups):
            counts = _without(base, entries[fold.left_out])
            rows, places = np.unique(row_of[fold.members], return_inverse=True)
            queries = np.empty((len(rows), len(base.order)), np.int32)
            queries[:, base.order] = base.rows[rows]
            found, votes, _ = base.classify(queries, replace(fold.comparison, k=k), counts)
            yield fold, found[places], votes[places]

    def grid(
        self, weightings: Sequence[Weighting], most: int, groups: Sequence[int] | None = None
    ) -> Iterator[tuple[Ints, NDArray[np.uint8]]]:
        """Yield the members of groups and their classes by IB1, by weighting and k from 1 to `most`."""
        base, entries = self._stored("information_gain")
        row_of = (np.searchsorted(base.first, entries, "right") - 1).astype(np.int32)
        compared = SettingGrid(base)
        for folds in zip(*(self.folds(weighting, groups) for weighting in weightings), strict=True):
            members, counts = folds[0].members, _without(base, entries[folds[0].left_out])
            rows, places = np.unique(row_of[members], return_inverse=True)
            yield members, compared.classify_rows(rows, [fold.comparison for fold in folds], most, counts)[places]

    def _by_tree(self, weighting: Weighting, groups: Sequence[int] | None) -> Iterator[tuple[Fold, Ints]]:
        # Few groups change the order of the weights, so that most of them find their tree sorted.
        @lru_cache(maxsize=MAX_ORDERS)
        def sorted_by(order: tuple[int, ...]) -> CommonBeginnings:
            return CommonBeginnings(self.features, self.codes, self.class_count, np.array(order, np.int32))

        for fold in self.folds(weighting, groups):
            order = tuple(heaviest_first(fold.comparison.weights).tolist())
            found = sorted_by(order).classify(fold.left_out, fold.comparison.rank)
            yield fold, found[self._tested[fold.left_out]]

    def _stored(self, weighting: Weighting) -> tuple[InstanceBase, Ints]:
        # Without weights the order is free: the features that tell most rows apart are compared first.
        weights = self._counts.weights("information_gain" if weighting == "none" else weighting)
        return store(self.features, self.codes, self.class_count, heaviest_first(weights))

    def _first_places(self) -> Ints:
        """Return where each class first occurs in each group."""
        places = np.full((int(self.groups.max()) + 1, self.class_count), len(self.codes), np.int32)
        np.minimum.at(places, (self.groups, self.codes), np.arange(len(self.codes), dtype=np.int32))
        return places


def _without(base: InstanceBase, entries: Ints) -> Ints:
    """Return the counts of stored instances when those of some entries are left out."""
    return base.counts - np.bincount(entries, minlength=len(base.counts)).astype(np.int32)
