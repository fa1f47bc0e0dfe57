"""Which pages to annotate next: those that stand for many others about which the annotated ones say too little.

A small reader learns from the pages that are annotated, and says how doubtful it is about each other page. The most
doubtful pages are often odd ones, from which nothing can be learned for others. So pages are chosen whose layout is
like that of many doubtful pages, and unlike that of those chosen before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.annotated_corpus import AnnotatedCorpus
from broadsheet.corpora.annotation.label_set import to_labels
from broadsheet.corpora.annotation.layout_likeness import Doubles, covering_order, likeness
from broadsheet.corpora.annotation.piece_learner import FeatureScale, PieceLearner, PoolPage, Truth
from broadsheet.corpora.site_splits import shuffled

#: The first pages are taken at random: a learner that knows fewer pages is sure of the wrong things.
FIRST = 4
#: The most pages that are measured, to find the one that teaches most; and the most annotated ones to learn from.
MAX_READ = 300

Track = Callable[[Sequence[str]], Iterator[str]]


class PagePool:
    """Pages of which some are annotated."""

    def __init__(self, pages: Sequence[PoolPage]) -> None:
        """Compare the layouts of all pages."""
        self.pages = pages
        self.scale = FeatureScale.of(pages)
        self.alike = likeness([page.layout for page in pages])

    def learner(self, truths: Mapping[int, Truth]) -> PieceLearner:
        """Learn from what is annotated, by the places of the pages."""
        return PieceLearner([self.pages[place] for place in truths], list(truths.values()), self.scale)

    def doubts(self, learner: PieceLearner) -> Doubles:
        """Return how doubtful each page is to a learner."""
        return np.array([learner.doubt(page) for page in self.pages])

    def next_pages(self, learner: PieceLearner, done: Sequence[int], most: int | None = None) -> list[int]:
        """Return the places of the pages to annotate next: each is like doubtful ones that none before is like.

        `done` are the pages that the learner has learned from.
        """
        return covering_order(self.alike, self.doubts(learner) ** 2, done, most)


class CorpusChoice:
    """Which pages of a corpus somebody annotates next. What is measured is kept, so asking again is fast."""

    def __init__(self, corpus: AnnotatedCorpus, annotator: str, track: Track = iter) -> None:
        """Measure nothing yet; `track` shows progress when pages are measured."""
        self.corpus, self.annotator, self._track = corpus, annotator, track
        #: Why pages are left out, by their names.
        self.left_out: dict[str, str] = {}
        self._pages: dict[str, PoolPage] = {}
        self._truths: dict[str, Truth] = {}

    def order(self, names: Iterable[str]) -> list[str]:
        """Return the names of pages in the order of annotation; at random as long as too little is annotated."""
        todo = shuffled(names, str)
        for name in self._track([name for name in todo[:MAX_READ] if name not in self._pages]):
            self._measure(name)
        measured = [name for name in todo[:MAX_READ] if name in self._pages]
        done = [name for name in self.corpus.annotated(self.annotator)[-MAX_READ:] if self._learn(name)]
        if not measured or not self._is_enough(done):
            return todo
        pool = PagePool([self._pages[name] for name in (*done, *measured)])
        learner = pool.learner({place: self._truths[name] for place, name in enumerate(done)})
        chosen = pool.next_pages(learner, range(len(done)))
        first = [measured[place - len(done)] for place in chosen]
        return [*first, *(name for name in todo if name not in set(first))]

    def _is_enough(self, done: Sequence[str]) -> bool:
        """Tell whether enough is annotated to learn from: pages, and both what is looked for and the rest."""
        return len(done) >= FIRST and len(set(np.concatenate([self._truths[name] for name in done]).tolist())) > 1

    def _measure(self, name: str) -> bool:
        """Measure a page unless it is known; return whether it could be read."""
        if name not in self._pages and name not in self.left_out:
            try:
                self._pages[name] = PoolPage.of(self.corpus.document(name))
            except InputError as error:
                self.left_out[name] = str(error)
        return name not in self.left_out

    def _learn(self, name: str) -> bool:
        """Read the annotation of a page unless it is known; return whether it could be read."""
        if name not in self._truths and self._measure(name):
            try:
                letters = self.corpus.read(name, self.corpus.document(name), self.annotator)
            except InputError as error:
                self.left_out[name] = str(error)
            else:
                self._truths[name] = self._truth(letters)
        return name not in self.left_out

    def _truth(self, letters: str) -> Truth:
        """Return which pieces are looked for: the body of articles, or everything but the rest."""
        if self.corpus.labels.has_articles:
            return np.equal(to_labels(letters), Label.BODY)
        return np.array([letter != self.corpus.labels.rest for letter in letters], np.bool_)
