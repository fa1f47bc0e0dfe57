"""The nodes of a model's trees as columns: the form in which trees are stored, validated and evaluated."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.model_errors import ModelError

#: The value of `feature` at a leaf.
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

    A row of features goes left if the node's feature is at most the threshold, or if it is missing and `missing_left`
    is set. `value` is added to the scores, starting at the tree's `column`: at a leaf it is the tree's output, at an
    inner node the mean over its subtree, from which `contributions` are computed.
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
        """Copy the columns in their types; raise if they are inconsistent."""
        for field in fields(self):
            column = np.asarray(getattr(self, field.name))
            object.__setattr__(self, field.name, _frozen_column(field.name, column))
        _check_lengths(self)
        _check_links(self)

    @property
    def width(self) -> int:
        """The number of scores that one tree adds to."""
        return int(self.value.shape[1])

    def check(self, features: int, classes: int) -> None:
        """Raise if a tree refers to a feature or class out of range."""
        if self.feature.max() >= features:
            raise ModelError(f"a tree tests feature {self.feature.max()}, but there are only {features}")
        if self.column.min() < 0 or int(self.column.max()) + self.width > classes:
            raise ModelError(f"a tree scores classes other than the {classes} that the model has")


def _frozen_column(name: str, column: NDArray[Any]) -> NDArray[Any]:
    expected = np.dtype(_TYPES[name])
    dimensions = 2 if name == "value" else 1
    if column.dtype.newbyteorder("=") != expected or column.ndim != dimensions:
        raise ModelError(
            f"the trees' {name} must be a column of {expected}, not {column.dtype} in {column.ndim} dimensions"
        )
    # A read-only copy, because changing the caller's arrays after the check would undo it.
    frozen = np.array(column, dtype=expected, order="C")
    frozen.setflags(write=False)
    return frozen


def _check_lengths(nodes: TreeNodes) -> None:
    size = len(nodes.feature)
    per_node = (nodes.threshold, nodes.left, nodes.right, nodes.missing_left, nodes.value)
    if any(len(column) != size for column in per_node) or len(nodes.column) != len(nodes.root):
        raise ModelError("the columns of the trees differ in length")
    if not size or not len(nodes.root) or not nodes.width:
        raise ModelError("the model has no tree")
    if not np.isfinite(nodes.value).all() or np.isnan(nodes.threshold).any():
        raise ModelError("a value or threshold of a tree is not a number")


def _check_links(nodes: TreeNodes) -> None:
    """Check that roots are in order and children come after their parent in the same tree, so every descent ends."""
    size = len(nodes.feature)
    if nodes.root[0] != 0 or (np.diff(nodes.root.astype(np.int64)) <= 0).any() or nodes.root[-1] >= size:
        raise ModelError("the roots of the trees are out of order")
    if nodes.feature.min() < LEAF:
        raise ModelError(f"a tree tests feature {nodes.feature.min()}")
    tree_end = np.repeat(np.append(nodes.root[1:], size), np.diff(np.append(nodes.root, size)))
    here = np.arange(size)
    inner = nodes.feature != LEAF
    for children in (nodes.left, nodes.right):
        if ((children <= here) | (children >= tree_end))[inner].any():
            raise ModelError("a branch of a tree leads backwards or out of the tree")
