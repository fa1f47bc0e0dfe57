"""Many settings of IB1 at once: several weightings and all numbers of neighbours, in one pass over the stored rows.

Which features of two rows differ does not depend on the weights, so every pair is compared once, as bits; the weights
of the bits are then added up for all settings together from small tables. This is for symbols alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from broadsheet.models import _grid_neighbours
from broadsheet.models.instance_base import MAX_NEIGHBOURS, Comparison, InstanceBase, Ints
from broadsheet.models.model_errors import ModelError

#: The settings that one pass can have, and the distinct values of a feature and the classes that fit its numbers.
MAX_SETTINGS, MAX_VALUES, MAX_CLASSES = 8, 2**16 - 1, 256


class SettingGrid:
    """Stored instances, prepared for one pass over all settings."""

    def __init__(self, base: InstanceBase) -> None:
        """Number the values of each column; raise if there are too many."""
        self.base = base
        if base.class_count > MAX_CLASSES:
            raise ModelError(f"at most {MAX_CLASSES} classes can be compared at once, not {base.class_count}")
        self._values = [np.unique(column) for column in base.rows.T]
        if max(map(len, self._values)) > MAX_VALUES:
            raise ModelError(f"a feature has more than {MAX_VALUES:,} values, too many to compare at once")
        self._columns = np.ascontiguousarray(self._encode(base.rows).T)

    def classify_rows(
        self, rows: Ints, comparisons: Sequence[Comparison], most: int, counts: Ints | None = None
    ) -> NDArray[np.uint8]:
        """Return the classes of some of the stored rows, by row, setting and k from 1 to `most`.

        The ranks of the first comparison hold for all. `counts` replaces the stored ones, so that instances, for
        example those of the rows themselves, can be taken out for a while.
        """
        if not 1 <= len(comparisons) <= MAX_SETTINGS or not 1 <= most <= MAX_NEIGHBOURS:
            raise ModelError(f"one pass takes 1 to {MAX_SETTINGS} settings and 1 to {MAX_NEIGHBOURS} distances")
        if any(comparison.scales.any() for comparison in comparisons):
            raise ModelError("only symbols can be compared for many settings at once, not numbers")
        base = self.base
        weights = np.ascontiguousarray([comparison.weights[base.order] for comparison in comparisons])
        exact = _table(weights)
        used = base.counts if counts is None else np.ascontiguousarray(counts, np.int32)
        stored = np.maximum.reduceat(used > 0, base.first[:-1]).astype(np.uint8)
        queries = np.ascontiguousarray(self._columns[:, rows].T)
        starts = np.ascontiguousarray(rows, np.int32)
        return _grid_neighbours.classify(
            self._columns,
            queries,
            starts,
            exact,
            exact.astype(np.float32),
            len(comparisons),
            base.first,
            base.classes,
            used,
            stored,
            comparisons[0].rank,
            most,
        )

    def _encode(self, rows: Ints) -> NDArray[np.uint16]:
        columns = [np.searchsorted(values, column) for values, column in zip(self._values, rows.T, strict=True)]
        return np.stack(columns, axis=1).astype(np.uint16)


def _table(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the summed weights of every byte of mismatches, for all settings: by byte, its value, and setting."""
    settings, features = weights.shape
    size = 2 * ((features + 15) // 16)
    padded = np.zeros((MAX_SETTINGS, size * 8))
    padded[:settings, :features] = weights
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    table = np.einsum("vb,sgb->gvs", bits, padded.reshape(MAX_SETTINGS, size, 8))
    return np.ascontiguousarray(table)
