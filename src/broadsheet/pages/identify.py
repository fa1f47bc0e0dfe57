"""What a page is: an article, a section or something else, how sure that is, and why."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS, Verdict
from broadsheet.document import Document, parse
from broadsheet.models.files import load
from broadsheet.models.trees import Doubles, TreeEnsemble, linked
from broadsheet.pages.features import FEATURES, measure
from broadsheet.pages.page_reasons import reasons

#: What the score of an article loses where the page is the root of its site.
ROOT_PENALTY = 4.0
ROOT = "the address of a whole site"

_ARTICLE = KINDS.index("article")
_DEPTH, _PARAMETERS = FEATURES.index("url_depth"), FEATURES.index("url_parameters")

Rows = NDArray[np.float32]


def identify(
    page: bytes | bytearray | memoryview | str | Document, url: str | None = None, *, encoding: str | None = None
) -> Verdict:
    """Say whether a page is an article, a section or something else; with its `url` the answer is surer."""
    return judge(parse(page, url, encoding=encoding))


def judge(document: Document, model: TreeEnsemble | None = None) -> Verdict:
    """Return the verdict on a document that is parsed already, by another model than the shipped one if given."""
    trees = model or page_model()
    row = measure(document)
    probabilities = linked(settled(row[None], trees.scores(row[None])), "softmax")[0]
    first, second = np.argsort(-probabilities, kind="stable")[:2]
    moved = trees.contributions(row[None])[0]
    found = reasons(row, moved[first] - moved[second])
    return Verdict(
        KINDS[first],
        None,
        float(probabilities[first]),
        dict(zip(KINDS, probabilities.tolist(), strict=True)),
        (ROOT, *found) if first != _ARTICLE and is_root(row[None])[0] else found,
        trees.card.label,
    )


def settled(rows: Rows, scores: Doubles) -> Doubles:
    """Return the scores with what is certain beside the trees: hardly an article has the address of a whole site."""
    scores = scores.copy()
    scores[is_root(rows), _ARTICLE] -= ROOT_PENALTY
    return scores


def is_root(rows: Rows) -> NDArray[np.bool_]:
    """Return which rows are of pages at the root of their site."""
    at_root: NDArray[np.bool_] = (rows[:, _DEPTH] == 0) & (rows[:, _PARAMETERS] == 0)
    return at_root


@cache
def page_model() -> TreeEnsemble:
    """Return the model that Broadsheet ships with."""
    model = load(Path(__file__).parent / "data" / "page.npz")
    if model.card.features != FEATURES or model.card.classes != KINDS:
        raise AssertionError(f"{model.card.label} was trained for other features than this version measures")
    return model
