"""Growing a tree: the best split at each node, until none is worthwhile."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from broadsheet.learning.c45._entropy import SMALL, Floats
from broadsheet.learning.c45._splits import Sample, Split, SplitSearch
from broadsheet.learning.c45._tree import LEAF, Cases, DecisionTree, tally


@dataclass
class Grown:
    """A tree with the training cases at its leaves, which pruning moves around."""

    tree: DecisionTree
    cases: dict[int, Cases]


@dataclass
class _Nodes:
    """The columns of a tree while it grows."""

    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    first_child: list[int] = field(default_factory=list)
    child_count: list[int] = field(default_factory=list)

    def add(self, count: int) -> range:
        """Append adjacent leaves and return their indices."""
        first = len(self.feature)
        self.feature.extend([LEAF] * count)
        self.threshold.extend([np.nan] * count)
        self.first_child.extend([0] * count)
        self.child_count.extend([0] * count)
        return range(first, first + count)

    def split(self, node: int, split: Split, count: int) -> range:
        """Turn a leaf into a test, and return its new children."""
        children = self.add(count)
        self.feature[node] = split.feature
        self.threshold[node] = split.threshold
        self.first_child[node] = children.start
        self.child_count[node] = count
        return children


def grow(search: SplitSearch, weights: Floats) -> Grown:
    """Grow a tree from weighted cases."""
    nodes = _Nodes()
    cases: dict[int, Cases] = {}
    distributions: dict[int, Floats] = {}
    waiting = [(nodes.add(1)[0], search.start(weights))]
    while waiting:
        node, sample = waiting.pop()
        classes = search.classes[sample.rows]
        distributions[node] = tally(classes, sample.weights, search.class_count)
        split = search.best(sample) if len(sample.rows) else None
        if split is None:
            cases[node] = Cases(sample.rows, sample.weights)
            continue
        children = nodes.split(node, split, max(int(search.categories[split.feature]), 2))
        waiting.extend(zip(children, _parts(search, sample, split, len(children)), strict=True))
    tree = DecisionTree(
        np.array(nodes.feature, dtype=np.int32),
        np.array(nodes.threshold),
        np.array(nodes.first_child, dtype=np.int32),
        np.array(nodes.child_count, dtype=np.int32),
        np.array([distributions[node] for node in range(len(nodes.feature))]),
    )
    return Grown(tree, cases)


def _parts(search: SplitSearch, sample: Sample, split: Split, count: int) -> Iterator[Sample]:
    """Yield the cases of each branch; those with a missing value go to all, with a share of their weight."""
    value = search.values[split.feature, sample.rows]
    branch = value if np.isnan(split.threshold) else np.where(np.isnan(value), np.nan, value > split.threshold)
    missing = np.isnan(branch)
    marks = np.zeros(search.values.shape[1], dtype=bool)
    totals = np.array([sample.weights[branch == which].sum() for which in range(count)])
    for which, share in enumerate(totals / totals.sum()):
        chosen, weights = branch == which, sample.weights
        if share > SMALL and missing.any():
            chosen = chosen | missing
            weights = np.where(missing, weights * share, weights)
        yield sample.take(chosen, weights, marks)
