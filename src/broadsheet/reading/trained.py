"""The trained reader: small nets over the lines of a page tell which of them are the article's.

Each line is judged by its text, its place, the elements around it and their names, the lines before and after it, and
the gist of the page. Lines are then taken so that the F to be expected is highest.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.models.arrays import from_text, pack, read_bytes, to_text, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.models.net import Net, load, to_bytes
from broadsheet.reading.lines.choice import choose
from broadsheet.reading.lines.line_features import COLUMNS, measure
from broadsheet.reading.lines.lines import Lines, find_lines
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.titles import Title, find_title

NAME = "default"

#: The models that came with the reader.
SHIPPED = Path(__file__).parent / "data"
WORDS, NETS = "words.npz", "lines-*.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """What the reader has learned: nets whose answers are averaged, and the words that they know."""

    nets: tuple[Net, ...]
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        """Refuse nets that take other features, or know other words."""
        if not self.nets:
            raise ModelError("a trained reader has at least one net")
        for net in self.nets:
            if net.card.features != COLUMNS or len(net.words) != self.vocabulary.size:
                raise ModelError(f"{net.card.label} was fitted to other features or words than this version's")


def likelihoods(document: Document, lines: Lines, title: Title | None, models: Models) -> NDArray[np.float32]:
    """Return for each line of a page, of which there is at least one, how likely it is the article's."""
    measured = measure(document, lines, title_of(document, lines, title), models.vocabulary)
    lengths = np.log1p(lines.words)
    answers = [net.probabilities(measured.rows, measured.words, measured.counts, lengths) for net in models.nets]
    likely: NDArray[np.float32] = np.mean(answers, axis=0, dtype=np.float32)
    return likely


def title_of(document: Document, lines: Lines, title: Title | None) -> tuple[int | None, str]:
    """Return the line where a title begins, where an element of the page holds it, and its text."""
    if title is None:
        return None, ""
    if title.node is None:
        return None, title.text
    return int(np.searchsorted(lines.first, document.nodes.piece_start[title.node])), title.text


def read(document: Document, *, exact: bool = False, models: Path = SHIPPED) -> Reading:
    """Label title, headings and body; each piece's score is how likely its line is the article's."""
    del exact  # Nothing was published that this could be the letter of.
    labels = np.zeros(len(document.pieces), np.int8)
    scores = np.zeros(len(document.pieces), np.float32)
    lines = find_lines(document)
    title = find_title(document)
    if len(lines):
        likely = likelihoods(document, lines, title, load_models(models))
        chosen = np.where(choose(likely, lines.words), np.int8(Label.BODY), np.int8(Label.GARBAGE))
        pieces = np.arange(len(labels))
        line = np.searchsorted(lines.first, pieces, "right") - 1
        inside = (line >= 0) & (pieces < lines.end[line])
        labels[inside], scores[inside] = chosen[line[inside]], likely[line[inside]]
    labels[in_headings(document) & (labels == Label.BODY)] = Label.HEADING
    if title is not None and title.node is not None:
        nodes = document.nodes
        labels[nodes.piece_start[title.node] : nodes.piece_end[title.node]] = Label.TITLE
    return Reading(labels, scores, NAME)


def save(models: Models, folder: Path) -> None:
    """Write models into a folder: a file for the words, and one for each net."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(NETS):
        old.unlink()
    words = {"names": models.vocabulary.names, "texts": models.vocabulary.texts}
    (folder / WORDS).write_bytes(pack({name: from_text("\n".join(some)) for name, some in words.items()}))
    for net in models.nets:
        (folder / f"{net.card.name}.npz").write_bytes(to_bytes(net))


@lru_cache(maxsize=8)
def load_models(folder: Path) -> Models:
    """Read models from a folder; they are kept, because every page needs them."""
    vocabulary = load_vocabulary(folder / WORDS)
    return Models(tuple(load(path) for path in sorted(folder.glob(NETS))), vocabulary)


def load_vocabulary(path: Path) -> Vocabulary:
    """Read the words that nets know from their file."""
    try:
        arrays = unpack(read_bytes(path), ("names", "texts"))
        names, texts = (to_text(arrays[name]).split("\n") for name in ("names", "texts"))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    return Vocabulary.of(names, texts)
