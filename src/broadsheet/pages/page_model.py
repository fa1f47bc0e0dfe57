"""The model of pages: boosted trees over their features, and a linear model of their terms."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadsheet.base.records import KINDS
from broadsheet.models import model_files
from broadsheet.models.card import Card
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.term_model import TermModel, load_terms

_SHIPPED = Path(__file__).parent / "data" / "page.npz"

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PageModel:
    """Trees and terms, whose scores are added."""

    trees: TreeEnsemble
    terms: TermModel

    @property
    def card(self) -> Card:
        """What the model is, and what it learned from."""
        return self.trees.card

    def scores(self, rows: Rows, term_scores: Doubles, known: ArrayLike) -> Doubles:
        """Return the scores of each kind, one row per page, from its features and the scores and number of its terms.

        The fewer terms of a page are `known`, the less it is like those that the model learned from, and the less sure
        the model is: without any, the scores are divided by two.
        """
        scores: Doubles = (self.trees.scores(rows) + term_scores) / (1 + 1 / np.sqrt(1 + np.asarray(known)))[:, None]
        return scores

    def to_bytes(self) -> bytes:
        """Serialize the model."""
        return model_files.to_bytes(self.trees, self.terms.arrays())


@cache
def page_model() -> PageModel:
    """Return the model shipped with Broadsheet."""
    trees = model_files.load(_SHIPPED)
    if trees.card.features != FEATURES or trees.card.classes != KINDS:
        raise AssertionError(f"{trees.card.label} was trained on other features than this version computes")
    return PageModel(trees, load_terms(_SHIPPED))
