"""Trees as flat arrays and `.npz` files, without pickle and fully validated on loading."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.c45._nominal import Categories
from broadsheet.learning.c45._tree import LEAF, DecisionTree
from broadsheet.models.arrays import read_bytes, unpack
from broadsheet.models.model_errors import ModelError

VERSION = 1

_NODES: dict[str, type[np.generic]] = {
    "feature": np.int32,
    "threshold": np.float64,
    "first_child": np.int32,
    "child_count": np.int32,
}


@dataclass(frozen=True)
class Model:
    """Everything that prediction needs."""

    tree: DecisionTree
    classes: NDArray[Any]
    categories: Categories
    feature_names: NDArray[Any] | None


def to_arrays(model: Model) -> dict[str, NDArray[Any]]:
    """Return a model as arrays."""
    nominal = np.array([known is not None for known in model.categories])
    arrays = {name: getattr(model.tree, name) for name in _NODES}
    arrays |= {"weights": model.tree.weights, "classes": _storable(model.classes), "nominal": nominal}
    arrays |= {f"values_{index}": known for index, known in enumerate(model.categories) if known is not None}
    if model.feature_names is not None:
        arrays["feature_names"] = model.feature_names.astype(np.str_)
    return arrays | {"version": np.array(VERSION)}


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Model:
    """Rebuild a model from arrays, or raise an error that says what is wrong with them."""
    _version(arrays)
    nominal = _array(arrays, "nominal", np.bool_, 1)
    categories = tuple(_values(arrays, index) if each else None for index, each in enumerate(nominal))
    classes = _labels(arrays, "classes")
    names = _labels(arrays, "feature_names") if "feature_names" in arrays else None
    if names is not None and len(names) != len(nominal):
        raise InputError(f"the tree has {len(names)} feature names for {len(nominal)} features")
    columns = {name: _array(arrays, name, kind, 1) for name, kind in _NODES.items()}
    tree = DecisionTree(**columns, weights=_array(arrays, "weights", np.float64, 2))
    _check_shapes(tree, len(classes))
    _check_links(tree)
    _check_tests(tree, categories)
    return Model(tree, classes, categories, names)


def write(arrays: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Write arrays to a file of exactly this name."""
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file."""
    try:
        return unpack(read_bytes(path))
    except ModelError as error:
        raise InputError(f"{path} cannot be read as a tree: {error}") from error


def _storable(labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels in a dtype that needs no pickle."""
    if labels.dtype.kind != "O":
        return labels
    if not all(isinstance(label, str) for label in labels):
        raise InputError("the classes are neither numbers nor text, so the tree cannot be stored")
    return labels.astype(np.str_)


def _version(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse files of another version."""
    found = arrays.get("version")
    if found is None or found.shape != () or found.dtype.kind not in "iu" or int(found) != VERSION:
        raise InputError(f"the tree's version is {found}, not {VERSION}")


def _array(arrays: Mapping[str, NDArray[Any]], name: str, kind: type[np.generic], dimensions: int) -> NDArray[Any]:
    """Return a copy of one array after checking its type and dimensions."""
    found = arrays.get(name)
    if found is None:
        raise InputError(f"the tree has no array {name!r}")
    if found.dtype != np.dtype(kind) or found.ndim != dimensions:
        raise InputError(f"the tree's array {name!r} has the wrong type: {found.dtype}, {found.ndim} dimensions")
    return np.array(found)


def _labels(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """Return an array of distinct labels."""
    found = arrays.get(name)
    if found is None or found.ndim != 1 or found.dtype.kind not in "biufU":
        raise InputError(f"the tree has no labels in {name!r}")
    if len(np.unique(found)) != len(found):
        raise InputError(f"the tree's labels in {name!r} are not all different")
    return np.array(found)


def _values(arrays: Mapping[str, NDArray[Any]], index: int) -> NDArray[Any]:
    """Return the values of a nominal column."""
    values = _labels(arrays, f"values_{index}")
    if values.dtype.kind not in "fU" or (values.dtype.kind == "f" and np.isnan(values).any()):
        raise InputError(f"the values of column {index} are neither numbers nor text")
    if (np.sort(values) != values).any():
        raise InputError(f"the values of column {index} are not sorted")
    return values


def _check_shapes(tree: DecisionTree, classes: int) -> None:
    """Check that all columns have one length, and that the weights are valid."""
    if not len(tree) or any(len(getattr(tree, name)) != len(tree) for name in _NODES):
        raise InputError("the tree's columns are empty or differ in length")
    if not classes or tree.weights.shape != (len(tree), classes):
        raise InputError(f"the tree's weights have the shape {tree.weights.shape}, not {(len(tree), classes)}")
    if not np.isfinite(tree.weights).all() or (tree.weights < 0).any() or not tree.weights[0].sum() > 0:
        raise InputError("the tree's weights are negative, infinite, or zero at the root")


def _check_links(tree: DecisionTree) -> None:
    """Check that every node but the root is the child of exactly one earlier node."""
    inner = np.flatnonzero(tree.feature != LEAF)
    first, count = tree.first_child[inner].astype(np.int64), tree.child_count[inner].astype(np.int64)
    if (count < 2).any() or (first <= inner).any() or (first + count > len(tree)).any():
        raise InputError("a node's children are too few, before it, or beyond the tree's end")
    leaves = tree.feature == LEAF
    if tree.child_count[leaves].any() or tree.first_child[leaves].any():
        raise InputError("a leaf has children")
    if count.sum() != len(tree) - 1:
        raise InputError("a node has no parent, or several")
    order = np.argsort(first)
    if (first[order] != 1 + np.cumsum(count[order]) - count[order]).any():
        raise InputError("a node has no parent, or several")


def _check_tests(tree: DecisionTree, categories: Categories) -> None:
    """Check that every test is possible."""
    if (tree.feature < LEAF).any() or (tree.feature >= len(categories)).any():
        raise InputError("a node tests a feature that does not exist")
    for node in np.flatnonzero(tree.feature != LEAF):
        known = categories[tree.feature[node]]
        if known is None and not (np.isfinite(tree.threshold[node]) and tree.child_count[node] == 2):
            raise InputError(f"the numeric test at node {node} has no threshold, or not two branches")
        if known is not None and not (np.isnan(tree.threshold[node]) and tree.child_count[node] == len(known)):
            raise InputError(f"the nominal test at node {node} has a threshold, or not one branch per value")
