"""The model of pages: boosted trees, grown with every page seen twice, with its address and without."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from broadsheet.base.records import KINDS
from broadsheet.models.card import Card
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.location import LOCATION, UNKNOWN
from broadsheet.pages.page_features import FEATURES
from broadsheet.training.conversion import of_boosting
from broadsheet.training.page_examples import PageExamples

NAME, VERSION = "page", 2

ADDRESS = np.array([FEATURES.index(name) for name in LOCATION])


@dataclass(frozen=True, slots=True, kw_only=True)
class PageModelSettings:
    """What shapes the model.

    - `rounds`: how many trees are grown for each kind.
    - `rate`: how much of its answer each tree adds.
    - `leaves`, `min_leaf`: how many leaves a tree has, and the fewest cases of one.
    - `shrinkage`: how far the answers of small leaves are pulled to 0.
    - `features`: the share of features that each split may ask for.
    - `priors`: what each kind weighs in all, in the order of `KINDS`.
    - `news`: how much more a page of a news site weighs.
    - `crowd`: the pages of a site and kind together weigh as their number to the power of 1 less this.
    - `hidden`: the share of a page's weight that it has without its address, as pages without one are judged.
    """

    rounds: int = 150
    rate: float = 0.06
    leaves: int = 10
    min_leaf: int = 8
    shrinkage: float = 3.0
    features: float = 0.2
    priors: tuple[float, ...] = (0.4, 0.3, 0.3)
    news: float = 3.0
    crowd: float = 0.5
    hidden: float = 0.3
    seed: int = 0


def fit(
    examples: PageExamples, settings: PageModelSettings, temperature: float = 1.0, training: str = ""
) -> TreeEnsemble:
    """Grow the trees; scores are divided by the temperature, and softmax makes them probabilities."""
    weights = weigh(examples, settings)
    estimator = HistGradientBoostingClassifier(
        max_iter=settings.rounds,
        learning_rate=settings.rate,
        max_leaf_nodes=settings.leaves,
        min_samples_leaf=settings.min_leaf,
        l2_regularization=settings.shrinkage,
        max_features=settings.features,
        early_stopping=False,
        random_state=settings.seed,
    )
    # One thread: sums in another order would make other trees, and the same data have to give the same bytes.
    with threadpool_limits(limits=1):
        estimator.fit(
            np.concatenate([examples.rows, without_address(examples.rows)]),
            np.concatenate([examples.truth, examples.truth]),
            sample_weight=np.concatenate([weights * (1 - settings.hidden), weights * settings.hidden]),
        )
    card = Card(name=NAME, version=VERSION, features=FEATURES, classes=KINDS, training=training or "not told")
    return of_boosting(estimator, card, temperature)


def without_address(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of features as they are where a page's address is not known."""
    bare = rows.copy()
    bare[:, ADDRESS] = UNKNOWN
    return bare


def weigh(examples: PageExamples, settings: PageModelSettings) -> Doubles:
    """Return what each page weighs, 1 on average."""
    crowds = Counter((page.site, page.kind) for page in examples.labels)
    weights = np.array([crowds[page.site, page.kind] ** -settings.crowd for page in examples.labels])
    weights *= np.where(examples.news, settings.news, 1.0)
    for kind, prior in enumerate(settings.priors):
        own = examples.truth == kind
        weights[own] *= prior / max(float(weights[own].sum()), 1e-9)
    drawn: Doubles = weights / weights.mean()
    return drawn
