"""Fitting the page model: boosted trees, trained on every page twice, with its URL and without, and terms."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from broadsheet.base.records import KINDS
from broadsheet.models.card import Card
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.location import LOCATION, UNKNOWN
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.page_model import PageModel
from broadsheet.pages.term_model import TermModel, importance
from broadsheet.reading.lines.page_terms import order
from broadsheet.training._boosting import fit_weighted
from broadsheet.training._conversion import mean_of, of_boosting
from broadsheet.training.page_examples import CARRIED_NEWS, PageExamples

NAME, VERSION = "page", 7
#: Steps of the fit of the terms' weights, which is all but done by then.
MAX_STEPS = 100
#: Weights of terms are rounded, so that the last digits of another machine do not matter.
DIGITS = 5

ADDRESS = np.array([FEATURES.index(name) for name in LOCATION])


@dataclass(frozen=True, slots=True, kw_only=True)
class PageModelSettings:
    """The hyperparameters of the model.

    - `rounds`: boosting rounds, one tree per kind each.
    - `rate`: the learning rate.
    - `leaves`, `min_leaf`: the leaves of a tree, and the fewest pages in one.
    - `shrinkage`: L2 regularisation of the leaves.
    - `features`: the share of features that each split considers.
    - `priors`: the total weight of each kind, in the order of `KINDS`.
    - `news`: the weight of a page of a news site relative to others.
    - `carried`: the same for a page of a site that merely carried news.
    - `crowd`: n pages of one site and kind together weigh n to the power of 1 minus this.
    - `hidden`: the share of a page's weight given to its copy without a URL.
    - `bags`: models, each with its own random choice of features, whose scores are averaged.
    - `term_sites`: the fewest sites that a known term is on.
    - `term_strength`: the inverse of the L2 regularisation of the terms' weights.
    - `term_share`: what the scores of the terms are multiplied by, because trees and terms partly see the same.
    - `term_carried`: `carried` for the terms.
    """

    rounds: int = 50
    rate: float = 0.16
    leaves: int = 24
    min_leaf: int = 8
    shrinkage: float = 3.0
    features: float = 0.2
    priors: tuple[float, ...] = (0.36, 0.33, 0.31)
    news: float = 3.0
    carried: float = 0.2
    crowd: float = 0.5
    hidden: float = 0.3
    bags: int = 4
    term_sites: int = 20
    term_strength: float = 0.02
    term_share: float = 1.0
    term_carried: float = 0.4
    seed: int = 0


def fit(examples: PageExamples, settings: PageModelSettings, temperature: float = 1.0, training: str = "") -> PageModel:
    """Fit trees and terms; softmax makes probabilities of the sum of their scores, divided by the temperature."""
    weights = weigh(examples, settings)
    trees = _fit_trees(examples, weights, settings, temperature, training)
    return PageModel(trees, fit_terms(examples, settings, temperature))


def _fit_trees(
    examples: PageExamples, weights: Doubles, settings: PageModelSettings, temperature: float, training: str
) -> TreeEnsemble:
    rows = np.concatenate([examples.rows, without_address(examples.rows)])
    truth = np.concatenate([examples.truth, examples.truth])
    both = np.concatenate([weights * (1 - settings.hidden), weights * settings.hidden])
    card = Card(name=NAME, version=VERSION, features=FEATURES, classes=KINDS, training=training or "not stated")
    bags = []
    for bag in range(settings.bags):
        estimator = HistGradientBoostingClassifier(
            max_iter=settings.rounds,
            learning_rate=settings.rate,
            max_leaf_nodes=settings.leaves,
            min_samples_leaf=settings.min_leaf,
            l2_regularization=settings.shrinkage,
            max_features=settings.features,
            early_stopping=False,
            random_state=settings.seed + bag,
        )
        fit_weighted(estimator, rows, truth, both)
        bags.append(of_boosting(estimator, card, temperature))
    return mean_of(bags, card)


def fit_terms(examples: PageExamples, settings: PageModelSettings, temperature: float) -> TermModel:
    """Fit a linear model of the terms that are on enough sites."""
    terms = _common_terms(examples, settings.term_sites)
    if not terms:
        return TermModel((), np.zeros((0, len(KINDS)), np.float32))
    numbers = {term: number for number, term in enumerate(terms)}
    found = [sorted(numbers[term] for term in page if term in numbers) for page in examples.terms]
    places = np.cumsum([0, *map(len, found)])
    values = np.repeat([importance(len(page)) for page in found], [len(page) for page in found])
    matrix = csr_matrix((values, np.fromiter(chain.from_iterable(found), np.intp), places), (len(found), len(terms)))
    carried_as_terms = replace(settings, carried=settings.term_carried)
    estimator = LogisticRegression(C=settings.term_strength, fit_intercept=False, max_iter=MAX_STEPS)
    with threadpool_limits(limits=1):
        estimator.fit(matrix, examples.truth, sample_weight=weigh(examples, carried_as_terms))
    weights = settings.term_share / temperature * estimator.coef_.T
    return TermModel(terms, weights.round(DIGITS).astype(np.float32))


def score_terms(examples: PageExamples, model: PageModel) -> tuple[Doubles, list[int]]:
    """Return the scores of each page's terms, one row per page, and how many terms of each page are known."""
    numbers = {term: number for number, term in enumerate(model.terms.terms)}
    found = [[numbers[term] for term in terms if term in numbers] for terms in examples.terms]
    scores = np.array([model.terms.scores(page) for page in found], np.float64).reshape(len(examples), len(KINDS))
    return scores, list(map(len, found))


def _common_terms(examples: PageExamples, sites: int) -> tuple[str, ...]:
    """Return the terms that are on so many sites, in the order of a model."""
    by_site: defaultdict[str, set[str]] = defaultdict(set)
    for labels, terms in zip(examples.labels, examples.terms, strict=True):
        by_site[labels.site] |= terms
    counted = Counter(chain.from_iterable(by_site.values()))
    return order([term for term, count in counted.items() if count >= sites])


def without_address(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a copy of the features as they are for pages without a known URL."""
    bare = rows.copy()
    bare[:, ADDRESS] = UNKNOWN
    return bare


def weigh(examples: PageExamples, settings: PageModelSettings) -> Doubles:
    """Return the weight of each page, 1 on average."""
    crowds = Counter((page.site, page.kind) for page in examples.labels)
    weights = np.array([crowds[page.site, page.kind] ** -settings.crowd for page in examples.labels])
    weights *= np.where(examples.news, settings.news, 1.0)
    weights[[page.corpus == CARRIED_NEWS for page in examples.labels]] *= settings.carried
    for kind, prior in enumerate(settings.priors):
        of_kind = examples.truth == kind
        weights[of_kind] *= prior / max(float(weights[of_kind].sum()), 1e-9)
    normalised: Doubles = weights / weights.mean()
    return normalised
