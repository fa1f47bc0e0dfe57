"""What a page is: an article, a section or something else, how sure that is, and why."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS, Verdict
from broadsheet.document import Document, PageInput, parse
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
_CALLED, _LOCATED = FEATURES.index("legal_share"), FEATURES.index("url_legal")

Rows = NDArray[np.float32]


def identify(page: PageInput, url: str | None = None, *, encoding: str | None = None) -> Verdict:
    """Judge whether a page is an article, a section or something else; its `url` makes the verdict more certain."""
    return judge(parse(page, url, encoding=encoding))


def judge(document: Document, model: TreeEnsemble | None = None) -> Verdict:
    """Return the verdict on a document that is parsed already, by another model than the shipped one if given."""
    trees = model or page_model()
    row = measure(document)
    values = row.tolist()
    scores = _settled(values, trees.scores(row[None])[0].tolist())
    probabilities = linked(np.array([scores]), "softmax")[0].tolist()
    first, second, *_ = sorted(range(len(KINDS)), key=probabilities.__getitem__, reverse=True)
    moved = trees.contributions(row[None])[0]
    found = reasons(row, moved[first] - moved[second])
    signs = Signs(document, dict(zip(FEATURES, values, strict=True)))
    return Verdict(
        KINDS[first],
        subtype(KINDS[first], signs),
        probabilities[first],
        dict(zip(KINDS, probabilities, strict=True)),
        (*_certain(values, first), *found),
        trees.card.label,
    )


def settled(rows: Rows, scores: Doubles) -> Doubles:
    """Return the scores of pages, a row each, with what is all but certain beside the trees.

    Hardly an article has the address of a whole site, and hardly one is called as legal pages are.
    """
    pages = zip(rows.tolist(), scores.tolist(), strict=True)
    return np.array([_settled(values, stated) for values, stated in pages], np.float64).reshape(scores.shape)


def _settled(values: Sequence[float], scores: Sequence[float]) -> list[float]:
    """Return the scores of one page, given its values of `FEATURES`; numbers, as arrays of one page cost more."""
    settled_scores = list(scores)
    if _is_root(values):
        settled_scores[_ARTICLE] -= ROOT_PENALTY
    if _is_legal(values):
        settled_scores[_OTHER] += LEGAL_BONUS
    return settled_scores


def _certain(values: Sequence[float], kind: int) -> tuple[str, ...]:
    """Return the reasons beside the trees that speak for a kind of the page."""
    held = ((ROOT, kind != _ARTICLE and _is_root(values)), (LEGAL, kind == _OTHER and _is_legal(values)))
    return tuple(reason for reason, holds in held if holds)


def _is_root(values: Sequence[float]) -> bool:
    """Return whether a page is at the root of its site."""
    return values[_DEPTH] == 0 and values[_PARAMETERS] == 0


def _is_legal(values: Sequence[float]) -> bool:
    """Return whether a page is called as legal pages are, in one of many languages."""
    return max(values[_CALLED], values[_LOCATED]) >= LEAST_LEGAL


@cache
def page_model() -> TreeEnsemble:
    """Return the model that Broadsheet ships with."""
    model = load(Path(__file__).parent / "data" / "page.npz")
    if model.card.features != FEATURES or model.card.classes != KINDS:
        raise AssertionError(f"{model.card.label} was trained for other features than this version measures")
    return model
