"""Pessimistic pruning of a grown tree."""

from collections.abc import Iterable
from statistics import NormalDist

import numpy as np

from broadsheet.learning.c45._entropy import SMALL, Floats
from broadsheet.learning.c45._growth import Grown
from broadsheet.learning.c45._tree import Cases, Integers, Placed, tally

#: A subtree must save at least this many errors over a leaf.
COLLAPSE_SLACK = 1e-3
#: A simpler tree may have this many more estimated errors.
PRUNING_SLACK = 0.1


def extra_errors(total: Floats, errors: Floats, confidence: float) -> Floats:
    """Return the estimated errors beyond the observed ones: the upper end of the confidence interval."""
    bound = _upper_bound(total, np.maximum(errors, 1.0), confidence)
    none_seen = total * (1.0 - confidence ** (1.0 / np.maximum(total, SMALL)))
    return np.where(errors < 1.0, none_seen + errors * (bound - none_seen), bound)


def _upper_bound(total: Floats, errors: Floats, confidence: float) -> Floats:
    """Return the same for one or more observed errors: the normal approximation with continuity correction."""
    z = NormalDist().inv_cdf(1.0 - confidence)
    n = np.maximum(total, SMALL)
    rate = np.minimum((errors + 0.5) / n, 1.0)
    spread = z * np.sqrt(rate / n - rate**2 / n + z**2 / (4 * n**2))
    upper = (rate + z**2 / (2 * n) + spread) / (1 + z**2 / n)
    return np.where(errors + 0.5 >= total, np.maximum(total - errors, 0.0), upper * total - errors)


class Pruner:
    """Prunes one grown tree in place."""

    def __init__(self, grown: Grown, values: Floats, classes: Integers, confidence: float) -> None:
        """Take the tree and the data it grew from."""
        self.tree = grown.tree
        self.cases = grown.cases
        self.values = values
        self.classes = classes
        self.confidence = confidence
        self._gappy = bool(np.isnan(values).any())
        #: The estimated errors of the subtree at each node; valid once everything below the node is pruned.
        self._expected = self._errors(self.tree.weights)

    def collapse(self) -> None:
        """Collapse subtrees that make no fewer errors on the training cases than a leaf would."""
        weights = self.tree.weights
        as_leaf = weights.sum(axis=1) - weights.max(axis=1)
        as_tree = as_leaf.copy()
        for node in reversed(range(len(self.tree))):
            if not self.tree.is_leaf(node):
                as_tree[node] = as_tree[self.tree.first_child[node] :][: self.tree.child_count[node]].sum()
        waiting = [0]
        while waiting:
            node = waiting.pop()
            if self.tree.is_leaf(node):
                continue
            if as_tree[node] >= as_leaf[node] - COLLAPSE_SLACK:
                self._make_leaf(node)
            else:
                waiting.extend(self.tree.children(node))

    def prune(self, *, subtree_raising: bool) -> None:
        """From the leaves up, replace a node by a leaf or its largest branch if the estimated errors do not grow."""
        waiting = list(self.tree.below(0))
        while waiting:
            node = waiting.pop()
            if self.tree.is_leaf(node):
                continue
            children = self.tree.children(node)
            as_tree = float(self._expected[children.start : children.stop].sum())
            as_leaf = float(self._errors(self.tree.weights[node : node + 1])[0])
            largest = self._largest(children)
            as_branch = self._expected_if_raised(node, largest) if subtree_raising else np.inf
            if as_leaf - min(as_tree, as_branch) < PRUNING_SLACK + SMALL:
                self._make_leaf(node)
                self._expected[node] = as_leaf
            elif as_branch - as_tree < PRUNING_SLACK + SMALL:
                self._raise(node, largest)
                # Its cases have changed, so everything below is evaluated again.
                waiting.extend(self.tree.below(node))
            else:
                self._expected[node] = as_tree

    def _errors(self, weights: Floats) -> Floats:
        """Return the estimated errors of leaves with these class weights."""
        total = weights.sum(axis=1)
        seen = total - weights.max(axis=1)
        return np.where(total > SMALL, seen + extra_errors(total, seen, self.confidence), 0.0)

    def _largest(self, children: range) -> int:
        """Return the child with the most cases; the last one on a tie."""
        totals = self.tree.weights[children.start : children.stop].sum(axis=1)
        return children[int(np.flatnonzero(totals > totals.max() - SMALL)[-1])]

    def _expected_if_raised(self, node: int, branch: int) -> float:
        """Return the estimated errors if one branch replaced the node."""
        if self._gappy:
            # How a case splits depends on all cases at the node, so all are sent down again.
            placed = self._sent_down([node], branch)
        else:
            placed = self._sent_down([child for child in self.tree.children(node) if child != branch], branch)
        leaves, which = np.unique(placed.nodes, return_inverse=True)
        before = np.zeros((len(leaves), self.tree.weights.shape[1])) if self._gappy else self.tree.weights[leaves]
        after = before + self._table(placed, which, len(leaves))
        expected = 0.0 if self._gappy else float(self._expected[branch])
        return expected + float((self._errors(after) - self._errors(before)).sum())

    def _sent_down(self, sources: Iterable[int], branch: int) -> Placed:
        """Send all cases of some nodes down a branch."""
        rows, weights = self._gathered(sources)
        return self.tree.descend(self.values, Placed(rows, np.full(len(rows), branch), weights), relearn=True)

    def _table(self, placed: Placed, which: Integers, count: int) -> Floats:
        """Return the class weights by node."""
        width = self.tree.weights.shape[1]
        cells = which * width + self.classes[placed.rows]
        return tally(cells, placed.weights, count * width).reshape(count, width)

    def _raise(self, node: int, branch: int) -> None:
        """Replace a node by one of its branches, with all of the node's cases."""
        placed = self._sent_down([node], branch)
        if self.tree.is_leaf(branch):
            placed = placed._replace(nodes=np.full(len(placed.nodes), node))
        self.tree.copy_test(branch, node)
        below = list(self.tree.below(node))
        numbers = np.sort(np.array(below))
        self.tree.weights[numbers] = self._table(placed, np.searchsorted(numbers, placed.nodes), len(numbers))
        order = np.argsort(placed.nodes, kind="stable")
        rows, nodes, weights = placed.rows[order], placed.nodes[order], placed.weights[order]
        for here in reversed(below):
            children = self.tree.children(here)
            if children:
                self.tree.weights[here] = self.tree.weights[children.start : children.stop].sum(axis=0)
            else:
                begin, end = np.searchsorted(nodes, [here, here + 1])
                self.cases[here] = Cases(rows[begin:end], weights[begin:end])
        self._expected[numbers] = self._errors(self.tree.weights[numbers])

    def _make_leaf(self, node: int) -> None:
        """Turn a node into a leaf with the cases of all leaves below it."""
        self.cases[node] = self._gathered([node])
        self.tree.make_leaf(node)

    def _gathered(self, sources: Iterable[int]) -> Cases:
        """Return the cases of all leaves below some nodes, with the parts of each case merged."""
        below = (each for source in sources for each in self.tree.below(source))
        parts = [self.cases[each] for each in below if self.tree.is_leaf(each)]
        rows = np.concatenate([part.rows for part in parts])
        weights = np.concatenate([part.weights for part in parts])
        if not self._gappy:
            return Cases(rows, weights)
        whole, which = np.unique(rows, return_inverse=True)
        return Cases(whole, tally(which, weights, len(whole)))
