"""Evaluation of page identification on sites that the model has not seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.corpora.site_splits import fold_of
from broadsheet.learning.confusion import Counts, balanced_accuracy, confusion, macro_f, recalls
from broadsheet.models.trees import Doubles
from broadsheet.pages.identify import adjust_scores
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.page_model import PageModel
from broadsheet.pages.page_reasons import reasons
from broadsheet.training._followed_pages import FOLLOWED, is_root
from broadsheet.training._page_model import PageModelSettings, fit, score_terms, without_address
from broadsheet.training.page_examples import CARRIED_NEWS, PageExamples

FOLDS = 5
#: Corpora whose pages are unlike the others: left out whole, they show how the model does on pages of a new kind.
UNLIKE = (CARRIED_NEWS, "wcxb", "trafilatura")
#: Corpora of pages from before 2013, which have hardly any metadata.
OLD = frozenset({"cleaneval", "daniel", "dragnet", "l3s_gn1", "msv_news"})

_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPages:
    """Pages with their scores, each from a model that had not seen the page's site."""

    examples: PageExamples
    scores: Doubles
    #: The features of each page as the model saw them, and the models by fold.
    rows: NDArray[np.float32]
    models: Mapping[int, PageModel]

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.examples)

    def where(self, mask: Mask) -> "JudgedPages":
        """Select some of the pages."""
        return JudgedPages(self.examples.where(mask), self.scores[mask], self.rows[mask], self.models)

    def why(self, row: int) -> tuple[str, ...]:
        """Return the reasons for a page's verdict, from the model that gave it."""
        model = self.models[fold_of(self.examples.labels[row].site, FOLDS)]
        contributions = model.trees.contributions(self.rows[row : row + 1])[0]
        first, second = np.argsort(-self.scores[row], kind="stable")[:2]
        features = dict(zip(FEATURES, self.rows[row].tolist(), strict=True))
        return reasons(features, contributions[first] - contributions[second])

    def of_corpora(self) -> "JudgedPages":
        """Return the pages of all corpora but the one of pages that news led to, which has its own figures."""
        return self.without(frozenset({CARRIED_NEWS, *FOLLOWED}))

    def of_corpus(self, corpus: str) -> "JudgedPages":
        """Return the pages of one corpus."""
        return self.where(np.array([page.corpus == corpus for page in self.examples.labels], np.bool_))

    def of_carried(self) -> "JudgedPages":
        """Return the pages of sites that carried news, whatever else they are."""
        return self.of_corpus(CARRIED_NEWS)

    def of_followed(self) -> "JudgedPages":
        """Return the pages of the sites that were followed."""
        return self.where(np.array([page.corpus in FOLLOWED for page in self.examples.labels], np.bool_))

    def of_news(self) -> "JudgedPages":
        """Return the pages of news sites."""
        return self.where(self.examples.news)

    def of_other_sites(self) -> "JudgedPages":
        """Return the pages of sites that are not known to be news sites."""
        return self.where(~self.examples.news)

    def of_split(self, split: str) -> "JudgedPages":
        """Return the pages of one split."""
        return self.where(np.array([page.split == split for page in self.examples.labels], np.bool_))

    def without(self, corpora: frozenset[str]) -> "JudgedPages":
        """Return the pages of all other corpora."""
        return self.where(np.array([page.corpus not in corpora for page in self.examples.labels], np.bool_))

    @property
    def predicted(self) -> NDArray[np.intp]:
        """The predicted kind of each page, as its index in `KINDS`."""
        kinds: NDArray[np.intp] = self.scores.argmax(axis=1)
        return kinds

    @property
    def confusion(self) -> Counts:
        """The confusion matrix: true kinds by row, predicted kinds by column."""
        return confusion(self.examples.truth, self.predicted, len(KINDS))

    def article_balanced_accuracy(self) -> float:
        """Return the balanced accuracy of article against the rest."""
        return article_balanced_accuracy(self.examples.truth, self.predicted)

    def section_balanced_accuracy(self) -> float:
        """Return the balanced accuracy of article against section, without other pages."""
        return self._accuracy_of_two(self.predicted)

    def forced_balanced_accuracy(self) -> float:
        """Return the same for a forced choice between the two kinds."""
        return self._accuracy_of_two(np.where(self.scores[:, _ARTICLE] >= self.scores[:, _SECTION], _ARTICLE, _SECTION))

    def _accuracy_of_two(self, predicted: NDArray[np.intp]) -> float:
        shares = recalls(confusion(self.examples.truth, predicted, len(KINDS)))
        return float(shares[[_ARTICLE, _SECTION]].mean())

    def balanced_accuracy(self) -> float:
        """Return the mean recall over the three kinds."""
        return balanced_accuracy(self.confusion)

    def macro_f(self) -> float:
        """Return the mean F1 over the three kinds."""
        return macro_f(self.confusion)

    def homes_as_sections(self) -> float:
        """Return the share of the home pages labelled sections that are taken for sections."""
        homes = np.array([is_root(page.url) for page in self.examples.labels], np.bool_)
        found = self.where(homes & (self.examples.truth == _SECTION)).predicted
        return float((found == _SECTION).mean()) if len(found) else float("nan")


class BothWays(NamedTuple):
    """Pages judged with their URLs, and without."""

    judged: JudgedPages
    bare: JudgedPages


def cross_validate(examples: PageExamples, settings: PageModelSettings) -> BothWays:
    """Judge all pages fold by fold: with their URLs, and without."""
    folds = np.array([fold_of(page.site, FOLDS) for page in examples.labels])
    bare = without_address(examples.rows)
    scores = np.zeros((2, len(examples), len(KINDS)))
    models = {}
    for fold in np.unique(folds).tolist():
        held_out, others = folds == fold, examples.where(folds != fold)
        models[fold] = fit(others, settings)
        terms = score_terms(examples.where(held_out), models[fold])
        for fold_scores, rows in zip(scores, (examples.rows, bare), strict=True):
            fold_scores[held_out] = adjust_scores(rows[held_out], models[fold].scores(rows[held_out], *terms))
    return BothWays(
        JudgedPages(examples, scores[0], examples.rows, models), JudgedPages(examples, scores[1], bare, models)
    )


def leave_corpora_out(examples: PageExamples, settings: PageModelSettings) -> BothWays:
    """Judge each corpus `UNLIKE` the others by a model that saw none of its sites: with URLs, and without."""
    corpora = np.array([page.corpus for page in examples.labels])
    sites = np.array([page.site for page in examples.labels])
    bare = without_address(examples.rows)
    scores = np.zeros((2, len(examples), len(KINDS)))
    for corpus in UNLIKE:
        held_out, its_sites = corpora == corpus, np.isin(sites, sites[corpora == corpus])
        if not held_out.any() or its_sites.all():
            continue
        model = fit(examples.where(~its_sites), settings)
        terms = score_terms(examples.where(held_out), model)
        for corpus_scores, rows in zip(scores, (examples.rows, bare), strict=True):
            corpus_scores[held_out] = adjust_scores(rows[held_out], model.scores(rows[held_out], *terms))
    left_out = np.isin(corpora, UNLIKE)
    return BothWays(
        JudgedPages(examples, scores[0], examples.rows, {}).where(left_out),
        JudgedPages(examples, scores[1], bare, {}).where(left_out),
    )


def og_type_rule(examples: PageExamples) -> float:
    """Return the article balanced accuracy of trusting `og:type`, on the pages of news sites."""
    news = examples.where(examples.news)
    says_article = news.rows[:, FEATURES.index("og_article")] > 0
    return article_balanced_accuracy(news.truth, np.where(says_article, _ARTICLE, _SECTION))


def article_balanced_accuracy(truth: NDArray[np.intp], predicted: NDArray[np.intp]) -> float:
    """Return the balanced accuracy of article against the rest."""
    is_other, predicted_other = (np.asarray(kinds != _ARTICLE, np.intp) for kinds in (truth, predicted))
    return balanced_accuracy(confusion(is_other, predicted_other, 2))
