"""IGTree with some instances left out, without building the tree.

The rows are sorted by the features in their order of weight, so a node of the tree is a range of rows with a common
beginning. The class of a query is the most frequent one in the longest of these ranges that has other instances than
those left out. Compression does not change a class, so it is not needed here.
"""

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.instance_base import Ints, store


class CommonBeginnings:
    """Stored instances in one order of the features, and the ranges of rows that begin with the same values."""

    def __init__(self, features: Ints, codes: Ints, class_count: int, order: Ints) -> None:
        """Sort the instances, and add up their classes."""
        base, entries = store(features, codes, class_count, order)
        self._row_of = np.searchsorted(base.first, entries, "right") - 1
        self._codes = codes
        counts = np.zeros((len(base.rows) + 1, class_count), np.int32)
        counts[np.repeat(np.arange(1, len(base.rows) + 1), np.diff(base.first)), base.classes] = base.counts
        self._sums = np.cumsum(counts, axis=0, dtype=np.int32)
        # The number of leading columns that a row shares with the one before it; less than none at both ends.
        differs = base.rows[1:] != base.rows[:-1]
        self._shared = np.concatenate([[-1], np.argmax(differs, axis=1), [-1]])
        self._width = base.rows.shape[1]

    def classify(self, left_out: Ints, rank: Ints) -> Ints:
        """Return the classes of the instances that are left out, as all others give them."""
        rows, inverse = np.unique(self._row_of[left_out], return_inverse=True)
        own = np.zeros((len(rows), self._sums.shape[1]), np.int32)
        np.add.at(own, (inverse, self._codes[left_out]), 1)
        by_rank = np.argsort(rank)
        classes = np.zeros(len(rows), np.int32)
        active = np.arange(len(rows))
        for depth in range(self._width + 1):
            edges = np.flatnonzero(self._shared < depth)
            ranges = np.searchsorted(edges, rows[active], "right") - 1
            others = self._others(edges, ranges, own, active)
            found = others.any(axis=1)
            active, others = active[found], others[found]
            classes[active] = by_rank[np.argmax(others[:, by_rank], axis=1)]
            if not len(active):
                break
        result: Ints = classes[inverse]
        return result

    def _others(
        self, edges: NDArray[np.intp], ranges: NDArray[np.intp], own: Ints, active: NDArray[np.intp]
    ) -> NDArray[np.int32]:
        """Return the classes of the instances of each range that are not left out."""
        distinct, where = np.unique(ranges, return_inverse=True)
        inside = np.zeros((len(distinct), own.shape[1]), np.int32)
        np.add.at(inside, where, own[active])
        totals = self._sums[edges[distinct + 1]] - self._sums[edges[distinct]]
        others: NDArray[np.int32] = (totals - inside)[where]
        return others
