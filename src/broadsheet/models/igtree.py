"""IGTree: stored instances compressed into a tree that tests one feature per level, the heaviest first.

Every node has the class that is most frequent among its instances. A query follows the branches of its own values as
far as there are any, and gets the class of the last node. Branches that would not change the answer are not stored.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.instance_base import MAX_FEATURES, InstanceBase, Ints
from broadsheet.models.model_errors import ModelError

Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class IGTree:
    """Nodes level by level, the root first; within a level sorted by parent, then by value.

    A node is the branch of `parent` for `value` of the feature that its parent's level tests; `level_end` says where
    each level ends.
    """

    parent: Ints
    value: Ints
    default: Ints
    level_end: Ints
    order: Ints
    class_count: int

    def __post_init__(self) -> None:
        """Raise if the columns are inconsistent."""
        for name in ("parent", "value", "default", "level_end", "order"):
            column = np.ascontiguousarray(getattr(self, name))
            if column.dtype != np.int32 or column.ndim != 1:
                raise ModelError(f"the tree's {name} must be a column of whole numbers of 32 bits")
            column.setflags(write=False)
            object.__setattr__(self, name, column)
        _check(self)

    @classmethod
    def build(cls, base: InstanceBase, rank: Ints) -> "IGTree":
        """Compress stored instances; `rank` orders the classes for ties."""
        counts = _dense_counts(base)
        levels = _levels(base.rows, counts, rank)
        kept = _kept(levels)
        numbers = np.cumsum(np.concatenate(kept)) - 1
        starts = np.concatenate([[0], np.cumsum([len(level) for level in kept])])
        parents = [
            numbers[starts[depth - 1] + level.parent[keep]] if depth else level.parent[keep]
            for depth, (level, keep) in enumerate(zip(levels, kept, strict=True))
        ]
        ends = np.cumsum([int(keep.sum()) for keep in kept])
        while len(ends) > 1 and ends[-1] == ends[-2]:
            ends = ends[:-1]
        return cls(
            parent=np.concatenate(parents).astype(np.int32),
            value=np.concatenate([level.value[keep] for level, keep in zip(levels, kept, strict=True)]),
            default=np.concatenate([level.default[keep] for level, keep in zip(levels, kept, strict=True)]),
            level_end=ends.astype(np.int32),
            order=base.order,
            class_count=base.class_count,
        )

    def classify(self, queries: Ints) -> Ints:
        """Return the class of each query."""
        if queries.ndim != 2 or queries.shape[1] != len(self.order):
            raise ModelError(f"queries must have {len(self.order)} features, as the tree has")
        keys = _keys(self.parent, self.value)
        node = np.zeros(len(queries), np.int64)
        active = np.arange(len(queries))
        for level in range(len(self.level_end) - 1):
            start, end = self.level_end[level], self.level_end[level + 1]
            wanted = _keys(node[active], queries[active, self.order[level]])
            place = np.minimum(np.searchsorted(keys[start:end], wanted) + start, end - 1)
            found = keys[place] == wanted
            active = active[found]
            node[active] = place[found]
            if not len(active):
                break
        classes: Ints = self.default[node]
        return classes


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """All nodes of one level before compression."""

    parent: Longs
    value: Ints
    default: Ints


def _dense_counts(base: InstanceBase) -> Longs:
    counts = np.zeros((len(base.rows), base.class_count), np.int64)
    counts[np.repeat(np.arange(len(base.rows)), np.diff(base.first)), base.classes] = base.counts
    return counts


def _levels(rows: Ints, counts: Longs, rank: Ints) -> list[_Level]:
    """Return the nodes of each level: the groups of rows that agree in the columns so far."""
    starts = np.zeros(1, np.intp)
    is_start = np.zeros(len(rows), np.bool_)
    is_start[0] = True
    root = np.zeros(1, np.int64)
    levels = [_Level(root, root.astype(np.int32), _defaults(counts, starts, rank))]
    for column in range(rows.shape[1]):
        group = np.cumsum(is_start) - 1
        is_start[1:] |= rows[1:, column] != rows[:-1, column]
        starts = np.flatnonzero(is_start)
        levels.append(_Level(group[starts], rows[starts, column], _defaults(counts, starts, rank)))
    return levels


def _defaults(counts: Longs, starts: NDArray[np.intp], rank: Ints) -> Ints:
    """Return the most frequent class of each group of rows; of equals the one of the best rank."""
    totals = np.add.reduceat(counts, starts, axis=0)
    by_rank = np.argsort(rank)
    defaults: Ints = by_rank[np.argmax(totals[:, by_rank], axis=1)].astype(np.int32)
    return defaults


def _kept(levels: list[_Level]) -> list[NDArray[np.bool_]]:
    """Return which nodes change the answer, or lead to one that does."""
    kept: list[NDArray[np.bool_]] = [np.zeros(len(level.value), np.bool_) for level in levels]
    kept[0][0] = True
    for depth in range(len(levels) - 1, 0, -1):
        level, above = levels[depth], levels[depth - 1]
        kept[depth] |= level.default != above.default[level.parent]
        kept[depth - 1][level.parent[kept[depth]]] = True
    return kept


def _keys(parent: NDArray[np.integer], value: NDArray[np.integer]) -> Longs:
    keys: Longs = parent.astype(np.int64) * 2**32 + (value.astype(np.int64) + 2**31)
    return keys


def _check(tree: IGTree) -> None:
    """Check that every branch leads from a node of the level above, so that every descent ends."""
    size, ends = len(tree.parent), tree.level_end
    if not size or len(tree.value) != size or len(tree.default) != size:
        raise ModelError("the columns of the tree are empty or differ in length")
    if not 1 <= len(tree.order) <= MAX_FEATURES or not np.array_equal(np.sort(tree.order), np.arange(len(tree.order))):
        raise ModelError("the order of the features does not name each of them once")
    if not 1 <= len(ends) <= len(tree.order) + 1 or ends[0] != 1 or ends[-1] != size or (np.diff(ends) < 1).any():
        raise ModelError("the levels of the tree are out of order")
    if tree.default.min() < 0 or tree.default.max() >= tree.class_count:
        raise ModelError("a node of the tree has a class that the model does not have")
    keys = _keys(tree.parent, tree.value)
    starts = np.concatenate([[0], ends[:-1]])
    for level in range(1, len(ends)):
        parents = tree.parent[ends[level - 1] : ends[level]]
        if parents.min() < starts[level - 1] or parents.max() >= ends[level - 1]:
            raise ModelError("a branch of the tree leads from a node that is not in the level above")
        if (np.diff(keys[ends[level - 1] : ends[level]]) <= 0).any():
            raise ModelError("the branches of the tree are not distinct and in ascending order")
