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
from broadsheet.pages.subtypes import Signs, subtype

#: What the score of an article loses where the page is the root of its site.
ROOT_PENALTY = 4.0
ROOT = "the address of a whole site"
#: What the score of other pages gains where the title, the main heading or the end of the address speaks of law.
LEGAL_BONUS = 2.0
#: The share of their words that has to.
LEAST_LEGAL = 0.5
LEGAL = "named like an imprint, a privacy statement or terms of use"

_ARTICLE, _OTHER = KINDS.index("article"), KINDS.index("other")
_DEPTH, _PARAMETERS = FEATURES.index("url_depth"), FEATURES.index("url_parameters")
_LEGAL = [FEATURES.index("legal_share"), FEATURES.index("url_legal")]

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
    signs = Signs(document, dict(zip(FEATURES, row.tolist(), strict=True)))
    return Verdict(
        KINDS[first],
        subtype(KINDS[first], signs),
        float(probabilities[first]),
        dict(zip(KINDS, probabilities.tolist(), strict=True)),
        (*_certain(row[None], int(first)), *found),
        trees.card.label,
    )


def settled(rows: Rows, scores: Doubles) -> Doubles:
    """Return the scores with what is all but certain beside the trees.

    Hardly an article has the address of a whole site, and hardly one is called as legal pages are.
    """
    scores = scores.copy()
    scores[is_root(rows), _ARTICLE] -= ROOT_PENALTY
    scores[is_legal(rows), _OTHER] += LEGAL_BONUS
    return scores


def _certain(rows: Rows, kind: int) -> tuple[str, ...]:
    """Return the reasons beside the trees that speak for a kind of the one page."""
    held = ((ROOT, kind != _ARTICLE and is_root(rows)[0]), (LEGAL, kind == _OTHER and is_legal(rows)[0]))
    return tuple(reason for reason, holds in held if holds)


def is_root(rows: Rows) -> NDArray[np.bool_]:
    """Return which rows are of pages at the root of their site."""
    at_root: NDArray[np.bool_] = (rows[:, _DEPTH] == 0) & (rows[:, _PARAMETERS] == 0)
    return at_root


def is_legal(rows: Rows) -> NDArray[np.bool_]:
    """Return which rows are of pages that are called as legal pages are, in one of many languages."""
    called: NDArray[np.bool_] = rows[:, _LEGAL].max(axis=1) >= LEAST_LEGAL
    return called


@cache
def page_model() -> TreeEnsemble:
    """Return the model that Broadsheet ships with."""
    model = load(Path(__file__).parent / "data" / "page.npz")
    if model.card.features != FEATURES or model.card.classes != KINDS:
        raise AssertionError(f"{model.card.label} was trained for other features than this version measures")
    return model
