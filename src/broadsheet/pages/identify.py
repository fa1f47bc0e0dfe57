"""Classify a page as an article, a section or something else, with probabilities and reasons."""

from collections.abc import Sequence

import numpy as np

from broadsheet.base.records import KINDS, Verdict
from broadsheet.document import Document, PageInput, parse
from broadsheet.models.trees import Doubles, apply_link
from broadsheet.pages._subtypes import SubtypeEvidence, subtype
from broadsheet.pages.page_features import FEATURES, measure
from broadsheet.pages.page_model import Rows, page_model
from broadsheet.pages.page_reasons import reasons, term_reasons

#: Subtracted from the article score if the page is the root of its site.
ROOT_PENALTY = 4.0
ROOT = "the address of the site's home page"
#: Added to the score of "other" if the title, the main heading or the end of the URL has legal words.
LEGAL_BONUS = 2.0
#: The smallest share of legal words for this bonus.
MIN_LEGAL = 0.5
LEGAL = "titled like an imprint, a privacy statement or terms of use"

_ARTICLE, _OTHER = KINDS.index("article"), KINDS.index("other")
_DEPTH, _PARAMETERS = FEATURES.index("url_depth"), FEATURES.index("url_parameters")
_TITLE_LEGAL, _URL_LEGAL = FEATURES.index("legal_share"), FEATURES.index("url_legal")


def identify(page: PageInput, url: str | None = None, *, encoding: str | None = None) -> Verdict:
    """Classify a page as an article, a section or something else; passing its `url` improves accuracy."""
    return judge(parse(page, url, encoding=encoding))


def judge(document: Document) -> Verdict:
    """Classify a parsed document."""
    model = page_model()
    row = measure(document)
    values = row.tolist()
    terms = model.terms.find(document)
    scores = _adjust(values, model.scores(row[None], model.terms.scores(terms)[None], [len(terms)])[0].tolist())
    probabilities = apply_link(np.array([scores]), "softmax")[0].tolist()
    first, second, *_ = sorted(range(len(KINDS)), key=probabilities.__getitem__, reverse=True)
    features = dict(zip(FEATURES, values, strict=True))
    contributions = model.trees.contributions(row[None])[0]
    return Verdict(
        KINDS[first],
        subtype(KINDS[first], SubtypeEvidence(document, features)),
        probabilities[first],
        dict(zip(KINDS, probabilities, strict=True)),
        (
            *_rule_reasons(values, first),
            *reasons(features, contributions[first] - contributions[second]),
            *term_reasons(KINDS[first], model.terms.typical(terms, first, second)),
        ),
        model.card.label,
    )


def adjust_scores(rows: Rows, scores: Doubles) -> Doubles:
    """Apply the rules that hold almost without exception to the model's scores, one row per page.

    Hardly any article is at the root of its site or titled like a legal page.
    """
    pages = zip(rows.tolist(), scores.tolist(), strict=True)
    return np.array([_adjust(values, page_scores) for values, page_scores in pages], np.float64).reshape(scores.shape)


def _adjust(values: Sequence[float], scores: Sequence[float]) -> list[float]:
    """Apply the rules to one page, given its `FEATURES`, as lists because tiny arrays are slower."""
    adjusted = list(scores)
    if _is_root(values):
        adjusted[_ARTICLE] -= ROOT_PENALTY
    if _is_legal(values):
        adjusted[_OTHER] += LEGAL_BONUS
    return adjusted


def _rule_reasons(values: Sequence[float], kind: int) -> tuple[str, ...]:
    """Return the reasons from the rules that support a page's kind."""
    rules = ((ROOT, kind != _ARTICLE and _is_root(values)), (LEGAL, kind == _OTHER and _is_legal(values)))
    return tuple(reason for reason, applies in rules if applies)


def _is_root(values: Sequence[float]) -> bool:
    return values[_DEPTH] == 0 and values[_PARAMETERS] == 0


def _is_legal(values: Sequence[float]) -> bool:
    """Tell whether a page is titled like a legal page, in one of many languages."""
    return max(values[_TITLE_LEGAL], values[_URL_LEGAL]) >= MIN_LEGAL
