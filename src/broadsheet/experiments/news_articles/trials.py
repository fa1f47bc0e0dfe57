"""Twenty trials of tenfold cross-validation, by page as planned, and by site."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from broadsheet.experiments.news_articles.factors import NOMINAL
from broadsheet.learning.c45 import C45Classifier

FOLDS, TRIALS = 10, 20

Division = Literal["page", "site"]
DIVISIONS: tuple[Division, ...] = ("page", "site")

#: Whether each page is an article.
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PageCases:
    """Pages as cases: their factors by name, whether each is an article, and its site."""

    factors: Sequence[Mapping[str, float | str]]
    truth: Truth
    sites: NDArray[Any]

    def table(self, names: Sequence[str]) -> NDArray[Any]:
        """Return the named factors as a table of numbers and tags."""
        return np.array([[page[name] for name in names] for page in self.factors], dtype=object)


def learner(names: Sequence[str]) -> C45Classifier:
    """Return C4.5 with its usual settings, told which factors are names."""
    return C45Classifier(nominal=[name in NOMINAL for name in names])


def scores(cases: PageCases, names: Sequence[str], division: Division, trials: int) -> list[float]:
    """Return F1 of the articles, fold by fold and trial by trial; the folds are the same for all factors."""
    table, found = cases.table(names), []
    for folds in divided(cases, division, trials):
        for fold in range(FOLDS):
            test = folds == fold
            # A fold without an article, or without any other page, has no F1; it is left out for all factors alike.
            if len(set(cases.truth[test].tolist())) < 2:
                continue
            predicted = learner(names).fit(table[~test], cases.truth[~test]).predict(table[test])
            found.append(float(f1_score(cases.truth[test], predicted)))
    return found


def divided(cases: PageCases, division: Division, trials: int) -> Iterator[NDArray[np.intp]]:
    """Give each trial's folds, a number a page; a site's pages stay together where sites are divided."""
    for trial in range(trials):
        generator = np.random.default_rng(trial)
        if division == "page":
            yield generator.permutation(len(cases.truth)) % FOLDS
        else:
            yield _by_site(cases.sites, generator)


def _by_site(sites: NDArray[Any], generator: np.random.Generator) -> NDArray[np.intp]:
    """Deal the sites, the large ones first and equals at random, each to the fold that has the fewest pages."""
    names, which, sizes = np.unique(sites, return_inverse=True, return_counts=True)
    order = generator.permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_of = np.zeros(FOLDS, np.intp), np.zeros(len(names), np.intp)
    for site in order.tolist():
        least = np.flatnonzero(filled == filled.min())
        fold_of[site] = generator.choice(least)
        filled[fold_of[site]] += sizes[site]
    return fold_of[which]
