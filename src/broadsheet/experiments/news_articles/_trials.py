"""Twenty trials of tenfold cross-validation, by page as planned, and by site."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from broadsheet.experiments.news_articles._factors import NOMINAL
from broadsheet.learning.c45 import C45Classifier

FOLDS, TRIALS = 10, 20

Division = Literal["page", "site"]
DIVISIONS: tuple[Division, ...] = ("page", "site")

#: Whether each page is an article.
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PageCases:
    """Pages as cases: the factors, truth and site of each."""

    factors: Sequence[Mapping[str, float | str]]
    truth: Truth
    sites: NDArray[Any]

    def table(self, names: Sequence[str]) -> NDArray[Any]:
        """Return the named factors as a table of numbers and tags."""
        return np.array([[page[name] for name in names] for page in self.factors], dtype=object)


def learner(names: Sequence[str]) -> C45Classifier:
    """Return C4.5 with its default settings and the nominal factors marked."""
    return C45Classifier(nominal=[name in NOMINAL for name in names])


def scores(cases: PageCases, names: Sequence[str], division: Division, trials: int) -> list[float]:
    """Return the F1 of articles in each fold of each trial; the folds are the same for all factors."""
    table, f1_scores = cases.table(names), []
    for folds in assign_folds(cases, division, trials):
        for fold in range(FOLDS):
            test = folds == fold
            # A fold with only articles, or none, has no F1; it is left out for all factors alike.
            if len(set(cases.truth[test].tolist())) < 2:
                continue
            predicted = learner(names).fit(table[~test], cases.truth[~test]).predict(table[test])
            f1_scores.append(float(f1_score(cases.truth[test], predicted)))
    return f1_scores


def assign_folds(cases: PageCases, division: Division, trials: int) -> Iterator[NDArray[np.intp]]:
    """Yield the fold number of each page, per trial; by site, the pages of a site are in the same fold."""
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        if division == "page":
            yield rng.permutation(len(cases.truth)) % FOLDS
        else:
            yield _by_site(cases.sites, rng)


def _by_site(sites: NDArray[Any], rng: np.random.Generator) -> NDArray[np.intp]:
    """Assign each site to the fold with the fewest pages, large sites first and ties at random."""
    names, site_of_page, sizes = np.unique(sites, return_inverse=True, return_counts=True)
    order = rng.permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_of = np.zeros(FOLDS, np.intp), np.zeros(len(names), np.intp)
    for site in order.tolist():
        least = np.flatnonzero(filled == filled.min())
        fold_of[site] = rng.choice(least)
        filled[fold_of[site]] += sizes[site]
    return fold_of[site_of_page]
