"""The model of pages: boosted trees over their features, and a linear model of their terms."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.models import model_files
from broadsheet.models.card import Card
from broadsheet.models.feature_ranges import FeatureRanges, load_ranges
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.term_model import TermModel, load_terms

#: A page's scores are divided by 1 and this for every feature that is outside the range of nearly all other pages.
PULL = 0.1

_SHIPPED = Path(__file__).parent / "data" / "page.npz"

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PageModel:
    """Trees and terms, whose scores are added, and the ranges of the features of the pages that they learned from."""

    trees: TreeEnsemble
    terms: TermModel
    ranges: FeatureRanges

    @property
    def card(self) -> Card:
        """What the model is, and what it learned from."""
        return self.trees.card

    def scores(self, rows: Rows, term_scores: Doubles) -> Doubles:
        """Return the scores of each kind, one row per page, from its features and the scores of its terms.

        Those of pages unlike all that the trees learned from are pulled towards each other: beyond their ranges, trees
        answer as they do at the edge, and are as sure as there.
        """
        scores: Doubles = (self.trees.scores(rows) + term_scores) / (1 + PULL * self.ranges.outside(rows))[:, None]
        return scores

    def to_bytes(self) -> bytes:
        """Serialize the model."""
        return model_files.to_bytes(self.trees, {**self.ranges.arrays(), **self.terms.arrays()})


@cache
def page_model() -> PageModel:
    """Return the model shipped with Broadsheet."""
    trees = model_files.load(_SHIPPED)
    if trees.card.features != FEATURES or trees.card.classes != KINDS:
        raise AssertionError(f"{trees.card.label} was trained on other features than this version computes")
    return PageModel(trees, load_terms(_SHIPPED), load_ranges(_SHIPPED))
