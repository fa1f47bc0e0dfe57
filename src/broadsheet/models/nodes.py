"""The nodes of all trees of a model, as columns: the form in which trees are stored, checked and run."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.model_errors import ModelError

#: What `feature` holds at a leaf.
LEAF = -1

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_TYPES: dict[str, type[np.generic]] = {
    "feature": np.int32,
    "threshold": np.float32,
    "left": np.int32,
    "right": np.int32,
    "missing_left": np.uint8,
    "value": np.float32,
    "root": np.int32,
    "column": np.int32,
}


@dataclass(frozen=True, slots=True, eq=False)
class TreeNodes:
    """One row per node, tree after tree, parents before children; `root` and `column` have one row per tree.

    A row of features goes left where its feature is at most the threshold, or where it is missing and `missing_left` is
    set. `value` is what the node adds to the scores, from column `column` of its tree on: at a leaf what the tree
    answers, at an inner node the mean of what lies below, from which `contributions` are computed.
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Bytes
    value: Floats
    root: Ints
    column: Ints

    def __post_init__(self) -> None:
        """Take the columns in their types, and refuse them where they do not fit together."""
        for field in fields(self):
            column = np.asarray(getattr(self, field.name))
            object.__setattr__(self, field.name, _typed(field.name, column))
        _check_lengths(self)
        _check_links(self)

    @property
    def width(self) -> int:
        """How many scores one tree adds to."""
        return int(self.value.shape[1])

    def check(self, features: int, classes: int) -> None:
        """Refuse trees that ask for a feature, or answer for a class, that there is not."""
        if self.feature.max() >= features:
            raise ModelError(f"a tree asks for feature {self.feature.max()}, and there are {features}")
        if self.column.min() < 0 or int(self.column.max()) + self.width > classes:
            raise ModelError(f"a tree answers for other classes than the {classes} there are")


def _typed(name: str, column: NDArray[Any]) -> NDArray[Any]:
    wanted = np.dtype(_TYPES[name])
    dimensions = 2 if name == "value" else 1
    if column.dtype.newbyteorder("=") != wanted or column.ndim != dimensions:
        raise ModelError(f"the trees' {name} is a column of {wanted}, not {column.dtype} in {column.ndim} dimensions")
    # A copy of its own: whoever changed the arrays after the check would undo it.
    own = np.array(column, dtype=wanted, order="C")
    own.setflags(write=False)
    return own


def _check_lengths(nodes: TreeNodes) -> None:
    size = len(nodes.feature)
    per_node = (nodes.threshold, nodes.left, nodes.right, nodes.missing_left, nodes.value)
    if any(len(column) != size for column in per_node) or len(nodes.column) != len(nodes.root):
        raise ModelError("the columns of the trees are not of one length")
    if not size or not len(nodes.root) or not nodes.width:
        raise ModelError("there is no tree")
    if not np.isfinite(nodes.value).all() or np.isnan(nodes.threshold).any():
        raise ModelError("a value or a threshold of a tree is not a number")


def _check_links(nodes: TreeNodes) -> None:
    """Check that each root begins a tree and that every step down stays in its tree and goes forward, so it ends."""
    size = len(nodes.feature)
    if nodes.root[0] != 0 or (np.diff(nodes.root.astype(np.int64)) <= 0).any() or nodes.root[-1] >= size:
        raise ModelError("the roots of the trees are out of order")
    if nodes.feature.min() < LEAF:
        raise ModelError(f"a tree asks for feature {nodes.feature.min()}")
    tree_end = np.repeat(np.append(nodes.root[1:], size), np.diff(np.append(nodes.root, size)))
    here = np.arange(size)
    inner = nodes.feature != LEAF
    for children in (nodes.left, nodes.right):
        if ((children <= here) | (children >= tree_end))[inner].any():
            raise ModelError("a branch of a tree leads out of it or back")
