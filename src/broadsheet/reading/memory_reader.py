"""The memory reader: elements get the labels of the most similar elements of pages that people have labelled.

Every element is described by 41 features and compared with stored elements (IB1); the nearest ones vote on the labels
of its text and of its tail. A second classifier then decides on each piece of text, because it sees the votes for the
whole page: an element alone cannot tell the text of the article from that of a comment, or a title from a teaser. A
third reviews what is body, because it sees what the second decided on the pieces around.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.models import memory_files, model_files
from broadsheet.models.memory_files import MemoryModel
from broadsheet.models.model_errors import ModelError
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.double_tags import DOUBLE_TAGS, LETTERS, piece_labels, split_tags
from broadsheet.reading.element_features import FEATURES, ElementFeatures, element_features
from broadsheet.reading.piece_context import COLUMNS, VOTES, Floats, piece_context

NAME = "memory"

#: The models shipped with Broadsheet, and the files of a folder of models.
SHIPPED = Path(__file__).parent / "data"
INSTANCES, CONTEXT, REVIEW = "memory.npz", "memory-context.npz", "memory-review.npz"

#: What the third classifier sees, and what it tells.
REVIEW_COLUMNS = (*COLUMNS, *(f"votes of memory for {name}" for name in VOTES))
REVIEWED = ("body",)

#: A title is labelled if its probability is at least this.
MIN_TITLE = 0.15

_LABELS = np.array(list(LETTERS), np.int8)
_TEXT_OF, _TAIL_OF = (
    np.array([[list(LETTERS.values()).index(tag.split("+")[slot]) == label for label in range(len(LETTERS))]
              for tag in DOUBLE_TAGS], np.float32)
    for slot in (0, 1)
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class MemoryModels:
    """The stored instances, the classifier that decides when they have voted, and the one that reviews its body."""

    memory: MemoryModel
    context: TreeEnsemble
    review: TreeEnsemble

    def __post_init__(self) -> None:
        """Raise if a model was made for other features or classes."""
        if self.memory.card.features != FEATURES or self.memory.card.classes != DOUBLE_TAGS:
            raise ModelError(f"{self.memory.card.label} has other features or classes than this version uses")
        for trees, columns, classes in ((self.context, COLUMNS, VOTES), (self.review, REVIEW_COLUMNS, REVIEWED)):
            if trees.card.features != columns or trees.card.classes != classes:
                raise ModelError(f"{trees.card.label} has other features or classes than this version uses")


def read(document: Document, *, exact: bool = False, models: Path = SHIPPED) -> Reading:
    """Label title, headings and body; `exact` takes the votes of memory alone, as published."""
    return read_with(document, load_models(models), exact=exact)


def read_with(document: Document, models: MemoryModels, *, exact: bool = False) -> Reading:
    """Read with models that are loaded."""
    if not len(document.pieces):
        return Reading(np.zeros(0, np.int8), np.zeros(0, np.float32), NAME)
    elements = element_features(document)
    if exact:
        return _by_votes(document, elements, models.memory)
    probabilities = label_probabilities(document, *piece_votes(document, elements, models.memory), models)
    labels = decide(document, probabilities)
    return Reading(labels, 1 - probabilities[:, 0], NAME)


def piece_votes(document: Document, elements: ElementFeatures, memory: MemoryModel) -> tuple[Floats, Floats]:
    """Return each label's share of the votes for every piece, and the distance of the nearest stored element."""
    pieces = document.pieces
    places = np.full(len(document.nodes), -1, np.int32)
    places[elements.nodes] = np.arange(len(elements))
    with_text, where = np.unique(places[pieces.owner], return_inverse=True)
    queries, repeated = np.unique(elements.values[with_text], axis=0, return_inverse=True)
    _, votes, distances = memory.classify(queries)
    where = repeated.ravel()[where]
    shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    by_slot = np.stack([shares @ _TEXT_OF, shares @ _TAIL_OF], axis=1)
    return by_slot[where, pieces.slot].astype(np.float32), distances[where].astype(np.float32)


def label_probabilities(document: Document, votes: Floats, distances: Floats, models: MemoryModels) -> Floats:
    """Return how likely each piece has each label, given the votes of memory."""
    decided = models.context.probabilities(piece_context(document, votes, distances)).astype(np.float32)
    body = models.review.probabilities(review_rows(document, decided, votes, distances)).astype(np.float32)
    # What the review leaves to the other labels is shared out as the second classifier has it.
    others = decided[:, :3] * ((1 - body) / np.maximum(1 - decided[:, 3:], 1e-6))
    return np.concatenate([others, body], axis=1)


def review_rows(document: Document, decided: Floats, votes: Floats, distances: Floats) -> Floats:
    """Return the features of the third classifier: those of the second, seen from its own decisions."""
    return np.concatenate([piece_context(document, decided, distances), votes], axis=1)


def decide(document: Document, probabilities: Floats) -> NDArray[np.int8]:
    """Return the most probable label of each piece, with the title in one line: the most probable one."""
    title = probabilities[:, 1]
    others = probabilities.copy()
    others[:, 1] = 0
    labels: NDArray[np.int8] = _LABELS[np.argmax(others, axis=1)]
    best = int(np.argmax(title))
    if title[best] >= MIN_TITLE:
        line = document.pieces.line == document.pieces.line[best]
        labels[line & (title >= MIN_TITLE)] = Label.TITLE
    body = np.flatnonzero(labels == Label.BODY)
    # A heading outside the body belongs to something else.
    if len(body):
        headings = np.flatnonzero(labels == Label.HEADING)
        labels[headings[(headings < body[0]) | (headings > body[-1])]] = Label.GARBAGE
    return labels


def _by_votes(document: Document, elements: ElementFeatures, memory: MemoryModel) -> Reading:
    codes, votes, _ = memory.classify(elements.values)
    labels = piece_labels(document, elements.nodes, split_tags(codes))
    certain = votes.max(axis=1) / np.maximum(votes.sum(axis=1), 1)
    scores = np.zeros(len(document.nodes), np.float32)
    scores[elements.nodes] = certain
    return Reading(labels, np.where(labels != Label.GARBAGE, scores[document.pieces.owner], 0.0), NAME)


def model_label() -> str:
    """Return the reader's name with the names and versions of its models."""
    models = load_models(SHIPPED)
    cards = (models.memory.card, models.context.card, models.review.card)
    return f"{NAME} ({', '.join(card.label for card in cards)})"


@lru_cache(maxsize=8)
def load_models(folder: Path) -> MemoryModels:
    """Read the models of a folder; cached because every page needs them."""
    trees = (model_files.load(folder / name) for name in (CONTEXT, REVIEW))
    return MemoryModels(memory_files.load(folder / INSTANCES), *trees)


def to_model_arrays(models: MemoryModels) -> dict[str, NDArray[Any]]:
    """Return the models as arrays of a single file."""
    contents = {
        INSTANCES: memory_files.to_bytes(models.memory),
        CONTEXT: model_files.to_bytes(models.context),
        REVIEW: model_files.to_bytes(models.review),
    }
    return {name: np.frombuffer(content, np.uint8) for name, content in contents.items()}


def from_model_arrays(arrays: Mapping[str, NDArray[Any]]) -> MemoryModels:
    """Build the models from the arrays of a single file; raise if they are inconsistent."""
    for name in (INSTANCES, CONTEXT, REVIEW):
        if name not in arrays or arrays[name].dtype != np.uint8 or arrays[name].ndim != 1:
            raise ModelError(f"the model has no array {name!r} of bytes")
    trees = (model_files.from_bytes(arrays[name].tobytes()) for name in (CONTEXT, REVIEW))
    return MemoryModels(memory_files.from_bytes(arrays[INSTANCES].tobytes()), *trees)


def save(models: MemoryModels, folder: Path) -> None:
    """Write models into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    memory_files.save(models.memory, folder / INSTANCES)
    model_files.save(models.context, folder / CONTEXT)
    model_files.save(models.review, folder / REVIEW)
