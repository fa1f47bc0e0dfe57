"""A decision tree as flat arrays, and how cases descend it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.learning.c45._entropy import SMALL, Floats

Integers = NDArray[np.integer[Any]]

#: The feature of a leaf.
LEAF = -1


class Cases(NamedTuple):
    """Weighted rows of the data; a row with a missing value may appear several times with a share of its weight."""

    rows: Integers
    weights: Floats


class Placed(NamedTuple):
    """Cases with the node that each has reached."""

    rows: Integers
    nodes: Integers
    weights: Floats

    def where(self, mask: NDArray[np.bool_]) -> "Placed":
        """Select some of the cases."""
        return Placed(self.rows[mask], self.nodes[mask], self.weights[mask])


@dataclass
class DecisionTree:
    """One entry per node: the root is 0, and the children of a node are adjacent and come after it."""

    #: The column that is tested, or `LEAF`.
    feature: NDArray[np.int32]
    #: Values up to this go to the first child, others to the second; NaN for a nominal test (one child per value).
    threshold: Floats
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    #: The weight of the training cases by node and class.
    weights: Floats

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.feature)

    def is_leaf(self, node: int) -> bool:
        """Return whether a node has no test."""
        return bool(self.feature[node] == LEAF)

    def children(self, node: int) -> range:
        """Return a node's children."""
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node]))

    def below(self, node: int) -> Iterator[int]:
        """Yield a node and everything below it, parents first."""
        waiting = [node]
        while waiting:
            here = waiting.pop()
            yield here
            waiting.extend(reversed(self.children(here)))

    def make_leaf(self, node: int) -> None:
        """Remove a node's test; its descendants become unreachable."""
        self.feature[node] = LEAF
        self.threshold[node] = np.nan
        self.first_child[node] = self.child_count[node] = 0

    def copy_test(self, source: int, target: int) -> None:
        """Copy the test and the children of one node to another."""
        for column in (self.feature, self.threshold, self.first_child, self.child_count):
            column[target] = column[source]

    def compact(self) -> "DecisionTree":
        """Return the tree without unreachable nodes, level by level."""
        order, first, reached = [0], [0] * len(self), 0
        while reached < len(order):
            node = order[reached]
            first[node] = len(order) if self.child_count[node] else 0
            order.extend(self.children(node))
            reached += 1
        kept = np.array(order)
        renumbered = np.array(first, dtype=np.int32)[kept]
        return DecisionTree(
            self.feature[kept], self.threshold[kept], renumbered, self.child_count[kept], self.weights[kept].copy()
        )

    def probabilities(self) -> Floats:
        """Return each node's class probabilities; a node without cases inherits its parent's."""
        shares = self.weights.copy()
        for node in range(len(self)):
            total = shares[node].sum()
            if total > SMALL:
                shares[node] /= total
            for child in self.children(node):
                if self.weights[child].sum() <= SMALL:
                    shares[child] = shares[node]
        return shares

    def descend(self, values: Floats, placed: Placed, *, relearn: bool = False) -> Placed:
        """Send cases from their nodes down to the leaves.

        A case whose value is missing takes all branches, with the part of its weight that each branch has of the
        training cases or, with `relearn`, of these cases.
        """
        arrived = []
        while placed.rows.size:
            inner = self.feature[placed.nodes] != LEAF
            if not inner.all():
                arrived.append(placed.where(~inner))
                placed = placed.where(inner)
            if placed.rows.size:
                placed = self._step(values, placed, relearn=relearn)
        return _joined(arrived) if arrived else placed

    def _step(self, values: Floats, placed: Placed, *, relearn: bool) -> Placed:
        """Send cases, none of them at a leaf, one level down."""
        value = values[self.feature[placed.nodes], placed.rows]
        threshold = self.threshold[placed.nodes]
        branch = np.where(np.isnan(threshold), value, value > threshold)
        known = ~np.isnan(value)
        if known.all():
            return placed._replace(nodes=self.first_child[placed.nodes] + branch.astype(np.intp))
        some = placed.where(known)
        some = some._replace(nodes=self.first_child[some.nodes] + branch[known].astype(np.intp))
        totals = tally(some.nodes, some.weights, len(self)) if relearn else self.weights.sum(axis=1)
        return _joined([some, self._fork(placed.where(~known), totals)])

    def _fork(self, placed: Placed, totals: Floats) -> Placed:
        """Send cases down every branch, in proportion to the branches' weights."""
        counts = self.child_count[placed.nodes]
        which = np.repeat(np.arange(len(counts)), counts)
        within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        children = self.first_child[placed.nodes][which] + within
        together = tally(which, totals[children], len(counts))[which]
        share = np.where(together > SMALL, totals[children] / np.maximum(together, SMALL), 1.0 / counts[which])
        forked = Placed(placed.rows[which], children, placed.weights[which] * share)
        return forked.where(share > SMALL)


def tally(places: Integers, weights: Floats, count: int) -> Floats:
    """Return the total weight at each of `count` places."""
    return np.bincount(places, weights, minlength=count).astype(np.float64, copy=False)


def _joined(parts: list[Placed]) -> Placed:
    """Concatenate cases."""
    return Placed(*(np.concatenate(column) for column in zip(*parts, strict=True)))
