"""scikit-learn's trees as Broadsheet's flat arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.card import Card
from broadsheet.models.nodes import LEAF, TreeNodes
from broadsheet.models.trees import Link, TreeEnsemble

_PER_NODE = ("feature", "threshold", "left", "right", "missing_left", "value")


class _Forest:
    """Trees gathered into columns, one after the other."""

    def __init__(self) -> None:
        self.columns: dict[str, list[NDArray[Any]]] = {name: [] for name in TreeNodes.__dataclass_fields__}
        self.size = 0

    def add(self, column: int, **tree: NDArray[Any]) -> None:
        """Add a tree whose children are numbered from its own root."""
        inner = tree["feature"] != LEAF
        for side in ("left", "right"):
            tree[side] = np.where(inner, tree[side] + self.size, 0)
        for name, values in {**tree, "root": np.array([self.size]), "column": np.array([column])}.items():
            self.columns[name].append(values)
        self.size += len(inner)

    def nodes(self) -> TreeNodes:
        """Return the columns of all trees in their types."""
        joined = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        whole = {name: joined[name].astype(np.int32) for name in ("feature", "left", "right", "root", "column")}
        return TreeNodes(
            **whole,
            threshold=joined["threshold"],
            missing_left=joined["missing_left"].astype(np.uint8),
            value=joined["value"].astype(np.float32),
        )


def of_boosting(estimator: Any, card: Card, temperature: float = 1.0) -> TreeEnsemble:  # noqa: ANN401
    """Convert a fitted `HistGradientBoostingClassifier`; its scores are divided by a temperature.

    The estimator has to have been fitted on float32, so that thresholds rounded down to it part the same rows.
    """
    forest = _Forest()
    for iteration in estimator._predictors:  # noqa: SLF001
        for column, predictor in enumerate(iteration):
            forest.add(column, **_boosted(predictor.nodes, temperature))
    baseline = np.ravel(estimator._baseline_prediction).astype(np.float64) / temperature  # noqa: SLF001
    link: Link = "softmax" if len(card.classes) > 1 else "logistic"
    return TreeEnsemble(card, forest.nodes(), baseline, "sum", link)


def mean_of(ensembles: Sequence[TreeEnsemble], card: Card) -> TreeEnsemble:
    """Return one ensemble whose scores are the mean of the scores of several that sum their trees."""
    forest = _Forest()
    for ensemble in ensembles:
        nodes = ensemble.nodes
        for start, end, column in zip(nodes.root, [*nodes.root[1:], len(nodes.feature)], nodes.column, strict=True):
            tree = {name: getattr(nodes, name)[start:end] for name in _PER_NODE}
            tree |= {side: tree[side].astype(np.int64) - start for side in ("left", "right")}
            forest.add(int(column), **{**tree, "value": tree["value"] / len(ensembles)})
    baseline = np.mean([ensemble.baseline for ensemble in ensembles], axis=0)
    return TreeEnsemble(card, forest.nodes(), baseline, "sum", ensembles[0].link)


def of_trees(estimator: Any, card: Card) -> TreeEnsemble:  # noqa: ANN401
    """Convert a fitted `DecisionTreeClassifier`, `RandomForestClassifier` or `ExtraTreesClassifier`."""
    forest = _Forest()
    for tree in getattr(estimator, "estimators_", [estimator]):
        forest.add(0, **_grown(tree.tree_))
    return TreeEnsemble(card, forest.nodes(), np.zeros(len(card.classes)), "mean", "identity")


def _boosted(nodes: NDArray[Any], temperature: float) -> dict[str, NDArray[Any]]:
    leaf = nodes["is_leaf"] != 0
    left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
    value, count = nodes["value"] / temperature, nodes["count"].astype(np.float64)
    # Children come after their parent, so that going backwards finds theirs done.
    for node in reversed(np.flatnonzero(~leaf).tolist()):
        both = [left[node], right[node]]
        value[node] = np.average(value[both], weights=np.maximum(count[both], 1))
    return {
        "feature": np.where(leaf, LEAF, nodes["feature_idx"]),
        "threshold": rounded_down(np.where(leaf, 0, nodes["num_threshold"])),
        "left": left,
        "right": right,
        "missing_left": nodes["missing_go_to_left"],
        "value": value[:, None],
    }


def _grown(tree: Any) -> dict[str, NDArray[Any]]:  # noqa: ANN401
    leaf = tree.children_left < 0
    value = tree.value[:, 0, :]
    return {
        "feature": np.where(leaf, LEAF, tree.feature),
        "threshold": rounded_down(np.where(leaf, 0, tree.threshold)),
        "left": tree.children_left,
        "right": tree.children_right,
        "missing_left": tree.missing_go_to_left,
        "value": value / value.sum(axis=1, keepdims=True),
    }


def rounded_down(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the largest float32 that is not above each threshold: `x <= t` then means the same for every float32."""
    nearest = thresholds.astype(np.float32)
    below = np.nextafter(nearest, np.float32(-np.inf))
    return np.where(nearest > thresholds, below, nearest).astype(np.float32)
