"""Stored instances, searched for those nearest to a query: memory-based learning's IB1 and IGTree.

Instances are rows of whole numbers: symbols, which are equal or not, or numbers, whose differences are scaled by their
range. Equal rows are stored once, with the number of times that each class occurs with them. Rows are sorted, heaviest
feature first, so that rows with a common beginning form a tree: a whole branch is left out as soon as its distance
exceeds that of the neighbours found.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from broadsheet.models import _neighbours
from broadsheet.models.model_errors import ModelError

Ints = NDArray[np.int32]
Doubles = NDArray[np.float64]

#: More classes or features than this are rejected; the kernel's time and memory grow with both.
MAX_CLASSES, MAX_FEATURES, MAX_NEIGHBOURS = 1_000, 10_000, 1_000


@dataclass(frozen=True, slots=True, eq=False)
class PrefixTree:
    """Rows with a common beginning, as a tree in columns: the first row of each node, its column, and its children."""

    low: Ints
    depth: Ints
    child: Ints
    child_end: Ints


@dataclass(frozen=True, eq=False)
class InstanceBase:
    """Distinct rows in ascending order, their columns in the given order of the features.

    The classes of row `i` are `classes[first[i]:first[i + 1]]`, and occur as often as `counts` says.
    """

    rows: Ints
    first: Ints
    classes: Ints
    counts: Ints
    #: The feature in each column of `rows`, the heaviest first.
    order: Ints
    #: The number of classes.
    class_count: int

    def __post_init__(self) -> None:
        """Raise if the columns are inconsistent; the kernel does not check."""
        for name in ("rows", "first", "classes", "counts", "order"):
            column = np.ascontiguousarray(getattr(self, name))
            if column.dtype != np.int32 or column.ndim != (2 if name == "rows" else 1):
                raise ModelError(f"the instances' {name} must be whole numbers of 32 bits in the right dimensions")
            column.setflags(write=False)
            object.__setattr__(self, name, column)
        _check_rows(self.rows, self.order)
        _check_entries(self)

    @classmethod
    def build(cls, features: Ints, codes: Ints, class_count: int, order: Ints) -> "InstanceBase":
        """Store instances: their features, one row each, and the codes of their classes."""
        return store(features, codes, class_count, order)[0]

    @cached_property
    def tree(self) -> PrefixTree:
        """The rows as a tree of common beginnings."""
        return PrefixTree(*_neighbours.grow(self.rows))

    def classify(
        self, queries: Ints, comparison: "Comparison", counts: Ints | None = None
    ) -> tuple[Ints, Ints, Doubles]:
        """Return the class, the votes per class and the distance of the nearest row for each query.

        `counts` replaces the stored ones, so that instances can be taken out for a while.
        """
        width = self.rows.shape[1]
        if queries.ndim != 2 or queries.shape[1] != width or len(comparison.weights) != width:
            raise ModelError(f"queries and weights must have {width} features, as the stored instances have")
        if len(comparison.rank) != self.class_count or (counts is not None and len(counts) != len(self.counts)):
            raise ModelError("the ranks or counts are not as many as the classes or entries")
        return _neighbours.classify(
            self,
            np.ascontiguousarray(queries[:, self.order], np.int32),
            np.ascontiguousarray(comparison.weights[self.order]),
            np.ascontiguousarray(comparison.scales[self.order]),
            self.counts if counts is None else np.ascontiguousarray(counts, np.int32),
            comparison.rank,
            comparison.k,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """How a query is compared with stored instances.

    `weights` say how much each feature counts; `scales` are the ranges of the features that are numbers, 0 for symbols;
    `rank` orders the classes for ties; `k` is the number of nearest distances that vote.
    """

    weights: Doubles
    scales: Doubles
    rank: Ints
    k: int = 1

    def __post_init__(self) -> None:
        """Raise if a value is out of bounds; the kernel does not check."""
        if not 1 <= self.k <= MAX_NEIGHBOURS:
            raise ModelError(f"the number of nearest distances must be between 1 and {MAX_NEIGHBOURS}, not {self.k}")
        for name in ("weights", "scales"):
            column = np.ascontiguousarray(getattr(self, name), np.float64)
            if column.shape != (len(self.scales),) or not (np.isfinite(column) & (column >= 0)).all():
                raise ModelError("weights and scales must be finite numbers from 0 on, one per feature")
            object.__setattr__(self, name, column)
        object.__setattr__(self, "rank", np.ascontiguousarray(self.rank, np.int32))
        if self.rank.ndim != 1:
            raise ModelError("the ranks of the classes must be a column")


def store(features: Ints, codes: Ints, class_count: int, order: Ints) -> tuple[InstanceBase, Ints]:
    """Store instances, and return with them the entry of each instance: its place in `classes` and `counts`."""
    columns = np.ascontiguousarray(features[:, order], np.int32)
    sorting = sort_rows(columns)
    columns = columns[sorting]
    new_row = np.ones(len(columns), np.bool_)
    np.any(columns[1:] != columns[:-1], axis=1, out=new_row[1:])
    keys = (np.cumsum(new_row) - 1) * np.int64(class_count) + codes[sorting]
    distinct, entries, counts = np.unique(keys, return_inverse=True, return_counts=True)
    row_of, classes = np.divmod(distinct, class_count)
    first = np.searchsorted(row_of, np.arange(int(new_row.sum()) + 1))
    entry_of = np.empty(len(columns), np.int32)
    entry_of[sorting] = entries
    base = InstanceBase(
        rows=columns[new_row],
        first=first.astype(np.int32),
        classes=classes.astype(np.int32),
        counts=counts.astype(np.int32),
        order=order.astype(np.int32),
        class_count=class_count,
    )
    return base, entry_of


def sort_rows(columns: Ints) -> NDArray[np.intp]:
    """Return the order that sorts rows by their first column, then by the second, and so on."""
    # Big-endian numbers with the sign flipped compare as bytes, so that one sort does for all columns.
    flipped = np.ascontiguousarray((columns.astype(np.int64) + 2**31).astype(">u4"))
    return np.argsort(flipped.view(f"V{4 * columns.shape[1]}").ravel(), kind="stable")


def _check_rows(rows: Ints, order: Ints) -> None:
    size, width = rows.shape
    if not size or not 1 <= width <= MAX_FEATURES:
        raise ModelError(f"there must be at least one instance, and between 1 and {MAX_FEATURES} features")
    if not np.array_equal(np.sort(order), np.arange(width)):
        raise ModelError("the order of the features does not name each of them once")
    differs = rows[1:] != rows[:-1]
    place = np.argmax(differs, axis=1) if size > 1 else np.zeros(0, np.intp)
    at = np.arange(size - 1)
    if not (differs.any(axis=1) & (rows[1:][at, place] > rows[:-1][at, place])).all():
        raise ModelError("the stored instances are not distinct and in ascending order")


def _check_entries(base: InstanceBase) -> None:
    first, size = base.first, len(base.rows)
    if len(first) != size + 1 or first[0] != 0 or (np.diff(first.astype(np.int64)) < 1).any():
        raise ModelError("a stored instance has no class")
    if first[-1] != len(base.classes) or len(base.classes) != len(base.counts):
        raise ModelError("the classes of the stored instances differ in number from their counts")
    if not 1 <= base.class_count <= MAX_CLASSES or base.classes.min() < 0 or base.classes.max() >= base.class_count:
        raise ModelError("a stored instance has a class that the model does not have")
    if base.counts.min() < 1 or int(base.counts.sum(dtype=np.int64)) > np.iinfo(np.int32).max:
        raise ModelError("the counts of the stored instances must be positive, and their sum within 32 bits")
