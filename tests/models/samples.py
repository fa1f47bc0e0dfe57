"""Small trees to test with."""

import numpy as np

from broadsheet.models.card import Card
from broadsheet.models.nodes import TreeNodes
from broadsheet.models.trees import Combine, Link, TreeEnsemble

CARD = Card(name="sample", version=3, features=("age", "height"), classes=("short", "tall"), training="by hand")


def one_split(**changes: object) -> dict[str, np.ndarray]:
    """The columns of one tree that tests height and one that tests age."""
    columns: dict[str, object] = {
        "feature": np.array([1, -1, -1, 0, -1, -1], np.int32),
        "threshold": np.array([1.5, 0, 0, 10, 0, 0], np.float32),
        "left": np.array([1, 0, 0, 4, 0, 0], np.int32),
        "right": np.array([2, 0, 0, 5, 0, 0], np.int32),
        "missing_left": np.array([1, 0, 0, 0, 0, 0], np.uint8),
        "value": np.array([[0], [2], [-2], [0.5], [0.25], [1]], np.float32),
        "root": np.array([0, 3], np.int32),
        "column": np.array([0, 1], np.int32),
    }
    return {name: np.asarray(value) for name, value in {**columns, **changes}.items()}


def sample(combine: Combine = "sum", link: Link = "identity", **changes: object) -> TreeEnsemble:
    return TreeEnsemble(CARD, TreeNodes(**one_split(**changes)), np.array([0.5, 0.0]), combine, link)
