"""The classifiers of the memory reader that decide when memory has voted.

The sites are divided into parts. A classifier that decides in the context of the votes learns from each part, and one
that reviews the body learns from pages of all parts, each as decided by the classifiers of the other parts: those of
its own part know it too well. Without one part, the same classifiers can be measured on it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from broadsheet.models.card import Card
from broadsheet.models.memory_files import MemoryModel
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.double_tags import LETTERS
from broadsheet.reading.element_features import element_features
from broadsheet.reading.memory_reader import REVIEW_COLUMNS, REVIEWED, MemoryModels, piece_votes, review_rows
from broadsheet.reading.piece_context import COLUMNS, VOTES, Floats, piece_context
from broadsheet.training._conversion import mean_of, of_boosting
from broadsheet.training.labelled_documents import LabelledDocument

#: Incremented whenever other models are shipped.
VERSION = 2
#: The parts that the sites are divided into.
PARTS = range(3)
_BODY = VOTES.index("body")
_CODES = {int(known): code for code, known in enumerate(LETTERS)}


@dataclass(frozen=True, slots=True)
class Boosting:
    """How trees are boosted: the number of rounds, the share of each that counts, and the leaves of a tree."""

    rounds: int = 60
    rate: float = 0.2
    leaves: int = 15

    def fit(self, rows: Sequence[Floats], codes: Sequence[NDArray[np.int8]], card: Card) -> TreeEnsemble:
        """Fit trees to the rows of all pages."""
        estimator = HistGradientBoostingClassifier(
            max_iter=self.rounds,
            learning_rate=self.rate,
            max_leaf_nodes=self.leaves,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=0,
        )
        # One thread: the order of additions changes the trees, and the same data must give the same bytes.
        with threadpool_limits(limits=1):
            estimator.fit(np.concatenate(rows), np.concatenate(codes))
        return of_boosting(estimator, card)


@dataclass(frozen=True, slots=True, eq=False)
class VotedPage:
    """A labelled page, the part of its site, and the votes of memory for its pieces."""

    page: LabelledDocument
    part: int
    votes: Floats
    distances: Floats

    @classmethod
    def of(cls, page: LabelledDocument, memory: MemoryModel) -> "VotedPage":
        """Let memory vote."""
        votes = piece_votes(page.document, element_features(page.document), memory)
        return cls(page, crc32(page.site.encode()) % len(PARTS), *votes)

    @property
    def codes(self) -> NDArray[np.int8]:
        """The codes of the labels, in the order of `VOTES`."""
        return np.array([_CODES.get(known, 0) for known in self.page.labels.tolist()], np.int8)

    def context(self) -> Floats:
        """Return the features of the second classifier."""
        return piece_context(self.page.document, self.votes, self.distances)

    def review(self, context: TreeEnsemble) -> Floats:
        """Return the features of the third classifier, given the second."""
        decided = context.probabilities(self.context()).astype(np.float32)
        return review_rows(self.page.document, decided, self.votes, self.distances)


def contexts_by_part(pages: Sequence[VotedPage], boosting: Boosting) -> dict[int, TreeEnsemble]:
    """Fit a second classifier to each part that has pages."""
    fitted = {}
    for part in sorted({page.part for page in pages}):
        own = [page for page in pages if page.part == part]
        card = _card("memory-context", COLUMNS, VOTES, own, boosting)
        fitted[part] = boosting.fit([page.context() for page in own], [page.codes for page in own], card)
    return fitted


def models_of_parts(
    memory: MemoryModel,
    pages: Iterable[VotedPage],
    contexts: Mapping[int, TreeEnsemble],
    parts: Collection[int],
    boosting: Boosting,
) -> MemoryModels:
    """Fit the third classifier to the pages of at least two parts, and join the second ones of these parts."""
    chosen = [page for page in pages if page.part in parts]
    others = {part: _joined([contexts[other] for other in parts if other != part], chosen, boosting) for part in parts}
    rows = [page.review(others[page.part]) for page in chosen]
    codes = [(page.codes == _BODY).astype(np.int8) for page in chosen]
    review = boosting.fit(rows, codes, _card("memory-review", REVIEW_COLUMNS, REVIEWED, chosen, boosting))
    return MemoryModels(memory, _joined([contexts[part] for part in parts], chosen, boosting), review)


def _joined(contexts: Sequence[TreeEnsemble], pages: Sequence[VotedPage], boosting: Boosting) -> TreeEnsemble:
    return mean_of(contexts, _card("memory-context", COLUMNS, VOTES, pages, boosting))


def _card(
    name: str, columns: tuple[str, ...], classes: tuple[str, ...], pages: Sequence[VotedPage], boosting: Boosting
) -> Card:
    pieces = sum(len(page.votes) for page in pages)
    training = f"{pieces:,} pieces of {len(pages)} labelled pages (train); {boosting.rounds} rounds of boosting"
    return Card(name=name, version=VERSION, features=columns, classes=classes, training=training)
