"""A linear model of the kinds of pages by their terms: words in the names of elements, and in the texts of links.

Whoever builds a site names its parts (`byline`, `breadcrumb`, `add-to-cart`), often with the words of the software that
the site is made with, whatever the language of its readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.lazy import lazy
from broadsheet.base.records import KINDS
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.models.arrays import from_text, read_bytes, to_text, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.models.trees import Doubles
from broadsheet.pages._term_sums import strongest_terms, sum_terms
from broadsheet.reading.lines.page_terms import TermTable

#: The most terms named in a reason, and how much each adds to the score of the kind at least.
MAX_NAMED, MIN_NAMED = 3, 0.05

#: Added to the number of known terms, so that those of a page with few do not count too much.
_FEW = 10.0
_ARRAYS = ("terms", "term_weights")


@dataclass(frozen=True, eq=False)
class TermModel:
    """The weights of each known term, one per kind. A page without known terms has no score, so the trees decide."""

    terms: tuple[str, ...]
    weights: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Raise if terms and weights do not belong together."""
        if self.weights.dtype != np.float32 or self.weights.shape != (len(self.terms), len(KINDS)):
            raise ModelError(f"the weights of terms must be float32, {len(KINDS)} for each term")
        if not np.isfinite(self.weights).all():
            raise ModelError("the weights of terms must be finite")
        # The compiled passes take no other order.
        object.__setattr__(self, "weights", np.ascontiguousarray(self.weights))

    @lazy
    def table(self) -> TermTable:
        """The terms, to look them up."""
        return TermTable.build(self.terms)

    def find(self, document: Document) -> Ints:
        """Return the numbers of the known terms of a page."""
        return self.table.find(document)

    @lazy
    def _doubles(self) -> Doubles:
        # Sums are in double precision, and numpy converts few numbers slowly.
        return self.weights.astype(np.float64)

    def scores(self, found: Ints | Sequence[int]) -> Doubles:
        """Return the score of each kind for a page with these terms."""
        sums: Doubles = np.zeros(len(KINDS))
        sum_terms(np.asarray(found, np.int32), self._doubles, sums)
        return importance(len(found)) * sums

    def typical(self, found: Ints | Sequence[int], kind: int, rival: int) -> list[str]:
        """Return the terms of a page that speak most for one kind against another, the strongest first."""
        numbers, factor = np.asarray(found, np.int32), importance(len(found))
        strongest = strongest_terms(numbers, self.weights, kind, rival, factor, MIN_NAMED, MAX_NAMED)
        # The same word may be a name on `body`, another name, and a word in a link.
        return list(dict.fromkeys(self.terms[term].rpartition(":")[2] for term in strongest))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns by the names under which a model file holds them."""
        return dict(zip(_ARRAYS, (from_text("\n".join(self.terms)), self.weights), strict=True))


def importance(known: int) -> float:
    """Return how much each term counts on a page with so many known ones: the more there are, the less."""
    return _FEW / sqrt(known + _FEW)


def load_terms(path: Path) -> TermModel:
    """Read the model of terms from a model file; raise if it has none."""
    arrays = unpack(read_bytes(path), _ARRAYS)
    text = to_text(arrays["terms"])
    return TermModel(tuple(text.split("\n")) if text else (), arrays["term_weights"])
