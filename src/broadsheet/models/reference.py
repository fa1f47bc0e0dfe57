"""The compiled kernel's answers, computed plainly: slow, and there to check it by."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.nodes import LEAF, TreeNodes


def add_scores(nodes: TreeNodes, rows: NDArray[np.float32], scores: NDArray[np.float64]) -> None:
    """Add to each row's scores what the trees answer, all rows down one tree at a time."""
    for root, column in zip(nodes.root.tolist(), nodes.column.tolist(), strict=True):
        at = np.full(len(rows), root)
        while (inner := np.flatnonzero(nodes.feature[at] != LEAF)).size:
            at[inner] = step(nodes, at[inner], rows[inner])
        scores[:, column : column + nodes.width] += nodes.value[at]


def step(nodes: TreeNodes, at: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the children of inner nodes that rows of features go to."""
    found = rows[np.arange(len(rows)), nodes.feature[at]]
    to_left = (found <= nodes.threshold[at]) | (np.isnan(found) & (nodes.missing_left[at] != 0))
    return np.where(to_left, nodes.left[at], nodes.right[at])
