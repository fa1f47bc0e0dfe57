"""The page model: boosted trees, trained on every page twice, with its URL and without."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from broadsheet.base.records import KINDS
from broadsheet.models.card import Card
from broadsheet.models.feature_ranges import FeatureRanges, ranges_of
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.location import LOCATION, UNKNOWN
from broadsheet.pages.page_features import FEATURES
from broadsheet.training._conversion import mean_of, of_boosting
from broadsheet.training.page_examples import CARRIED_NEWS, PageExamples

NAME, VERSION = "page", 3

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
    """

    rounds: int = 100
    rate: float = 0.08
    leaves: int = 24
    min_leaf: int = 8
    shrinkage: float = 3.0
    features: float = 0.2
    priors: tuple[float, ...] = (0.4, 0.3, 0.3)
    news: float = 3.0
    carried: float = 0.2
    crowd: float = 0.5
    hidden: float = 0.3
    bags: int = 2
    seed: int = 0


def fit(
    examples: PageExamples, settings: PageModelSettings, temperature: float = 1.0, training: str = ""
) -> TreeEnsemble:
    """Train the trees; softmax turns their scores, divided by the temperature, into probabilities."""
    weights = weigh(examples, settings)
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
        # One thread: the order of additions changes the trees, and the same data must give the same bytes.
        with threadpool_limits(limits=1):
            estimator.fit(rows, truth, sample_weight=both)
        bags.append(of_boosting(estimator, card, temperature))
    return mean_of(bags, card)


def ranges(examples: PageExamples) -> FeatureRanges:
    """Return the ranges of the features, with the URLs of pages and without."""
    return ranges_of(np.concatenate([examples.rows, without_address(examples.rows)]))


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
