"""A slow, plain implementation of the compiled tree kernel, used to test it."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.nodes import LEAF, TreeNodes


def add_scores(nodes: TreeNodes, rows: NDArray[np.float32], scores: NDArray[np.float64]) -> None:
    """Add the trees' outputs to each row's scores, passing all rows down one tree at a time."""
    for root, column in zip(nodes.root.tolist(), nodes.column.tolist(), strict=True):
        at = np.full(len(rows), root)
        while (inner := np.flatnonzero(nodes.feature[at] != LEAF)).size:
            at[inner] = next_nodes(nodes, at[inner], rows[inner])
        scores[:, column : column + nodes.width] += nodes.value[at]


def next_nodes(nodes: TreeNodes, at: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the child of each inner node to which its row of features goes."""
    value = rows[np.arange(len(rows)), nodes.feature[at]]
    to_left = (value <= nodes.threshold[at]) | (np.isnan(value) & (nodes.missing_left[at] != 0))
    return np.where(to_left, nodes.left[at], nodes.right[at])
