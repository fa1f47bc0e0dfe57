"""Readable names for the tests and leaves of a tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.c45._entropy import SMALL
from broadsheet.learning.c45._nominal import Categories
from broadsheet.learning.c45._tree import DecisionTree


@dataclass(frozen=True)
class Labels:
    """The names of features, their values and the classes."""

    features: tuple[str, ...]
    values: tuple[tuple[str, ...] | None, ...]
    classes: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str] | None, categories: Categories, classes: NDArray[Any]) -> Self:
        """Take the names, or number the features if there are none."""
        if names is None:
            names = [f"x{index}" for index in range(len(categories))]
        if len(names) != len(categories):
            raise InputError(f"{len(names)} names given for {len(categories)} features")
        values = tuple(None if known is None else tuple(map(_plain, known)) for known in categories)
        return cls(tuple(map(str, names)), values, tuple(map(_plain, classes)))

    def feature(self, tree: DecisionTree, node: int) -> str:
        """Return the name of the feature that a node tests."""
        return self.features[int(tree.feature[node])]

    def outcome(self, tree: DecisionTree, node: int, branch: int) -> str:
        """Describe the condition of a branch."""
        values = self.values[int(tree.feature[node])]
        if values is not None:
            return f"= {values[branch]}"
        return f"{'>' if branch else '<='} {tree.threshold[node]:.6g}"

    def verdict(self, tree: DecisionTree, node: int, parent: int) -> str:
        """Describe a leaf: its class, the weight of its cases and, after a slash, that of cases of other classes."""
        weights = tree.weights[node]
        total = weights.sum()
        label = self.classes[int((weights if total > SMALL else tree.weights[parent]).argmax())]
        wrong = total - weights.max()
        return f"{label} ({_short(total)}/{_short(wrong)})" if wrong > SMALL else f"{label} ({_short(total)})"


def _plain(value: object) -> str:
    """Return a value as text, whole numbers without a decimal point."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _short(weight: float) -> str:
    """Return a weight with at most two decimals."""
    return f"{weight:.2f}".rstrip("0").rstrip(".")
