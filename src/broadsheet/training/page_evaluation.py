"""How well pages are identified on sites that the model has not seen."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.corpora.site_splits import fold_of
from broadsheet.models.trees import Doubles, TreeEnsemble
from broadsheet.pages.identify import adjust_scores
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.page_reasons import reasons
from broadsheet.training.page_examples import PageExamples
from broadsheet.training.page_model import PageModelSettings, fit, without_address

FOLDS = 5
#: Corpora of pages from before 2013, which say nothing of themselves.
OLD = frozenset({"cleaneval", "daniel", "dragnet", "l3s_gn1", "msv_news"})

_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPages:
    """Pages with the scores that a model gave which had not seen their sites."""

    examples: PageExamples
    scores: Doubles
    #: What was measured of each page, as it was shown to the model, and the models by fold.
    rows: NDArray[np.float32]
    models: Mapping[int, TreeEnsemble]

    def where(self, mask: Mask) -> "JudgedPages":
        """Choose some of the pages."""
        return JudgedPages(self.examples.where(mask), self.scores[mask], self.rows[mask], self.models)

    def why(self, row: int) -> tuple[str, ...]:
        """Return the reasons for which a page was taken for what it was, by the model that judged it."""
        model = self.models[fold_of(self.examples.labels[row].site, FOLDS)]
        moved = model.contributions(self.rows[row : row + 1])[0]
        first, second = np.argsort(-self.scores[row], kind="stable")[:2]
        return reasons(self.rows[row], moved[first] - moved[second])

    def of_news(self) -> "JudgedPages":
        """Return the pages of news sites."""
        return self.where(self.examples.news)

    def of_split(self, split: str) -> "JudgedPages":
        """Return the pages of one split."""
        return self.where(np.array([page.split == split for page in self.examples.labels], np.bool_))

    def without(self, corpora: frozenset[str]) -> "JudgedPages":
        """Return the pages of all other corpora."""
        return self.where(np.array([page.corpus not in corpora for page in self.examples.labels], np.bool_))

    @property
    def found(self) -> NDArray[np.intp]:
        """The kind that each page was taken for, as its place in `KINDS`."""
        kinds: NDArray[np.intp] = self.scores.argmax(axis=1)
        return kinds

    @property
    def confusion(self) -> NDArray[np.intp]:
        """How many pages of each kind, by row, were taken for which, by column."""
        counts: NDArray[np.intp] = np.zeros((len(KINDS), len(KINDS)), np.intp)
        np.add.at(counts, (self.examples.truth, self.found), 1)
        return counts

    def article_balanced_accuracy(self) -> float:
        """Return the mean of the shares of articles, and of all others, that were told right."""
        return balanced_accuracy(self.examples.truth == _ARTICLE, self.found == _ARTICLE)

    def section_balanced_accuracy(self) -> float:
        """Return the mean of the shares of articles and of sections that were told right, other pages left out."""
        return self._of_two(self.found)

    def apart_balanced_accuracy(self) -> float:
        """Return the same where the likelier of the two kinds is taken, and a page cannot be told to be other."""
        return self._of_two(np.where(self.scores[:, _ARTICLE] >= self.scores[:, _SECTION], _ARTICLE, _SECTION))

    def _of_two(self, found: NDArray[np.intp]) -> float:
        right = found == self.examples.truth
        shares = [right[self.examples.truth == kind] for kind in (_ARTICLE, _SECTION)]
        return float(np.mean([share.mean() if len(share) else 0.0 for share in shares]))

    def balanced_accuracy(self) -> float:
        """Return the mean, over the three kinds, of the share that was told right."""
        counts = self.confusion
        return float((np.diag(counts) / np.maximum(counts.sum(axis=1), 1)).mean())

    def macro_f(self) -> float:
        """Return the mean, over the three kinds, of the harmonic mean of precision and recall."""
        counts = self.confusion
        return float((2 * np.diag(counts) / np.maximum(counts.sum(axis=0) + counts.sum(axis=1), 1)).mean())


def cross_validate(examples: PageExamples, settings: PageModelSettings) -> tuple[JudgedPages, JudgedPages]:
    """Judge all pages fold by fold: with their addresses, and by the pages alone."""
    folds = np.array([fold_of(page.site, FOLDS) for page in examples.labels])
    bare = without_address(examples.rows)
    scores = np.zeros((2, len(examples), len(KINDS)))
    models = {fold: fit(examples.where(folds != fold), settings) for fold in np.unique(folds).tolist()}
    for fold, model in models.items():
        own = folds == fold
        for found, rows in zip(scores, (examples.rows, bare), strict=True):
            found[own] = adjust_scores(rows[own], model.scores(rows[own]))
    return JudgedPages(examples, scores[0], examples.rows, models), JudgedPages(examples, scores[1], bare, models)


def og_type_rule(examples: PageExamples) -> float:
    """Return the article balanced accuracy of believing what `og:type` says, on the pages of news sites."""
    news = examples.where(examples.news)
    return balanced_accuracy(news.truth == _ARTICLE, news.rows[:, FEATURES.index("og_article")] > 0)


def balanced_accuracy(truth: Mask, found: Mask) -> float:
    """Return the mean of the shares of true and of false cases that were found to be so."""
    return float((found[truth].mean() + (~found[~truth]).mean()) / 2)
