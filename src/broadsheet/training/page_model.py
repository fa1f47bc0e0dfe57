"""The model of pages: many C4.5 trees, each grown on other pages and other features, and their mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.c45.tree import LEAF, Tree
from broadsheet.models.card import Card
from broadsheet.models.nodes import Nodes
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.features import FEATURES
from broadsheet.pages.location import UNKNOWN, Location
from broadsheet.training.page_examples import Examples

NAME, VERSION = "page", 1

_ADDRESS = np.array([FEATURES.index(name) for name in Location._fields])
#: Mean probabilities times this are the scores that softmax takes, before their temperature.
_SCALE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What shapes the model.

    - `trees`: how many are grown.
    - `features`: the share of features that each tree may ask for.
    - `min_leaf`: the fewest cases of a branch.
    - `priors`: how often each kind is drawn, in the order of `KINDS`.
    - `news`: how much likelier a page of a news site is drawn.
    - `hidden`: the share of cases that are learned from without their address, as pages without one are judged.
    """

    trees: int = 30
    features: float = 0.3
    min_leaf: int = 3
    priors: tuple[float, ...] = (0.4, 0.3, 0.3)
    news: float = 3.0
    hidden: float = 0.25
    seed: int = 0


def fit(examples: Examples, settings: Settings, temperature: float = 1.0, training: str = "") -> TreeEnsemble:
    """Grow the trees; scores are divided by the temperature, and softmax makes them probabilities."""
    generator = np.random.default_rng(settings.seed)
    chances = _chances(examples, settings)
    parts = []
    for _ in range(settings.trees):
        size = max(1, round(settings.features * len(FEATURES)))
        columns = np.sort(generator.choice(len(FEATURES), size, replace=False))
        drawn = generator.choice(len(examples), len(examples), p=chances)
        rows = examples.rows[drawn].astype(np.float64)
        rows[np.ix_(generator.random(len(drawn)) < settings.hidden, _ADDRESS)] = UNKNOWN
        grown = C45Classifier(min_leaf=settings.min_leaf).fit(rows[:, columns], examples.truth[drawn])
        parts.append(_columns(grown, columns, _SCALE / temperature))
    card = Card(name=NAME, version=VERSION, features=FEATURES, classes=KINDS, training=training or "not told")
    return TreeEnsemble(card, _joined(parts), np.zeros(len(KINDS)), "mean", "softmax")


def _chances(examples: Examples, settings: Settings) -> Doubles:
    """Return how likely each page is drawn."""
    chances = np.where(examples.news, settings.news, 1.0)
    for kind, prior in enumerate(settings.priors):
        own = examples.truth == kind
        chances[own] *= prior / max(float(chances[own].sum()), 1e-9)
    drawn: Doubles = chances / chances.sum()
    return drawn


def _columns(grown: C45Classifier, columns: NDArray[np.intp], scale: float) -> dict[str, NDArray[np.generic]]:
    """Return one tree as columns, its features by their place among all, its children counted from its own root."""
    tree: Tree = grown.tree_
    leaf = tree.feature == LEAF
    weights = np.zeros((len(tree), len(KINDS)))
    weights[:, grown.classes_] = tree.weights
    # A leaf of a few cases is not sure of anything, however pure it is (Laplace).
    value = (weights + 1) / (weights.sum(axis=1, keepdims=True) + len(KINDS))
    first = np.where(leaf, 0, tree.first_child)
    return {
        "feature": np.where(leaf, LEAF, columns[np.where(leaf, 0, tree.feature)]).astype(np.int32),
        # Thresholds are values of training rows, which are float32, so nothing is rounded here.
        "threshold": np.where(leaf, 0, tree.threshold).astype(np.float32),
        "left": first.astype(np.int32),
        "right": np.where(leaf, 0, first + 1).astype(np.int32),
        "missing_left": np.zeros(len(tree), np.uint8),
        "value": (value * scale).astype(np.float32),
    }


def _joined(parts: list[dict[str, NDArray[np.generic]]]) -> Nodes:
    roots = np.cumsum([0, *(len(part["feature"]) for part in parts[:-1])]).astype(np.int32)
    for part, root in zip(parts, roots.tolist(), strict=True):
        inner = part["feature"] != LEAF
        for side in ("left", "right"):
            part[side] = np.where(inner, part[side] + root, 0).astype(np.int32)
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Nodes(**joined, root=roots, column=np.zeros(len(roots), np.int32))
