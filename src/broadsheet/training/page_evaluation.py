"""How well pages are identified on sites that the model has not seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.corpora.splits import fold_of
from broadsheet.models.trees import Doubles
from broadsheet.pages.features import FEATURES
from broadsheet.pages.identify import settled
from broadsheet.pages.location import UNKNOWN, Location
from broadsheet.training.page_examples import Examples
from broadsheet.training.page_model import Settings, fit

FOLDS = 5
#: Corpora of pages from before 2013, which say nothing of themselves.
OLD = frozenset({"cleaneval", "daniel", "dragnet", "l3s_gn1", "msv_news"})

_ARTICLE = KINDS.index("article")
_ADDRESS = [FEATURES.index(name) for name in Location._fields]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Pages of news sites with the scores that a model gave which had not seen their sites."""

    examples: Examples
    scores: Doubles

    def without(self, corpora: frozenset[str]) -> "Judged":
        """Return the pages of all other corpora."""
        kept = np.array([page.corpus not in corpora for page in self.examples.labels], np.bool_)
        return Judged(self.examples.where(kept), self.scores[kept])

    @property
    def confusion(self) -> NDArray[np.intp]:
        """How many pages of each kind, by row, were taken for which, by column."""
        counts: NDArray[np.intp] = np.zeros((len(KINDS), len(KINDS)), np.intp)
        np.add.at(counts, (self.examples.truth, self.scores.argmax(axis=1)), 1)
        return counts

    def article_balanced_accuracy(self) -> float:
        """Return the mean of the shares of articles, and of all others, that were told right."""
        return balanced_accuracy(self.examples.truth == _ARTICLE, self.scores.argmax(axis=1) == _ARTICLE)

    def balanced_accuracy(self) -> float:
        """Return the mean, over the three kinds, of the share that was told right."""
        counts = self.confusion
        return float((np.diag(counts) / np.maximum(counts.sum(axis=1), 1)).mean())


def cross_validate(examples: Examples, settings: Settings) -> tuple[Judged, Judged]:
    """Judge the pages of news sites fold by fold: with their addresses, and by the pages alone."""
    folds = np.array([fold_of(page.site, FOLDS) for page in examples.labels])
    bare = examples.rows.copy()
    bare[:, _ADDRESS] = UNKNOWN
    scores = np.zeros((2, len(examples), len(KINDS)))
    for fold in range(FOLDS):
        judged = (folds == fold) & examples.news
        if judged.any():
            model = fit(examples.where(folds != fold), settings)
            for found, rows in zip(scores, (examples.rows, bare), strict=True):
                found[judged] = settled(rows[judged], model.scores(rows[judged]))
    news = examples.where(examples.news)
    return Judged(news, scores[0, examples.news]), Judged(news, scores[1, examples.news])


def og_type_rule(examples: Examples) -> float:
    """Return the article balanced accuracy of believing what `og:type` says, on the pages of news sites."""
    news = examples.where(examples.news)
    return balanced_accuracy(news.truth == _ARTICLE, news.rows[:, FEATURES.index("og_article")] > 0)


def balanced_accuracy(truth: NDArray[np.bool_], found: NDArray[np.bool_]) -> float:
    """Return the mean of the shares of true and of false cases that were found to be so."""
    return float((found[truth].mean() + (~found[~truth]).mean()) / 2)
