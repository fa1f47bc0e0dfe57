"""The trained reader: small neural nets decide which lines of a page belong to the article.

Each line is judged by its text, its position, its ancestors and their names, the lines before and after it, and a
summary of the page. Lines are then selected to maximize the expected F-score.
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
from broadsheet.models.arrays import from_text, pack, to_text
from broadsheet.models.model_errors import ModelError
from broadsheet.models.net import NAMES as NET_ARRAYS
from broadsheet.models.net import Net, from_arrays, load, to_arrays, to_bytes
from broadsheet.reading.headline import find_headline
from broadsheet.reading.lines.interruptions import lower_interruptions
from broadsheet.reading.lines.line_choice import choose, fill_gaps
from broadsheet.reading.lines.line_features import COLUMNS, LineMeasurements
from broadsheet.reading.lines.lines import Lines
from broadsheet.reading.lines.repeated_passages import without_copies
from broadsheet.reading.lines.set_off_text import raise_set_off
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import SHIPPED, WORDS, load_vocabulary, measured_lines, shipped_vocabulary
from broadsheet.reading.paragraphs import in_headings

NAME = "default"

NETS = "lines-*.npz"
#: Every net is run on every page, so a file with more of them would only take time.
MAX_NETS = 8

#: Further nets see only the lines between the first and the last that are at least this likely by the first net, and so
#: many lines before and after these, as far as the layers of a net look from a line.
LIKELY, MARGIN = 0.05, 40
#: They see a page only if the first is unsure of more than this share of the words it expects in the article. It has
#: learned to be unsure of 0.02 of those that it knows.
SURE = 0.05

#: Access to the members of an enumeration is slow.
_TITLE, _HEADING, _BODY = (np.int8(label) for label in (Label.TITLE, Label.HEADING, Label.BODY))


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """An ensemble of nets, whose probabilities are averaged, and their common vocabulary."""

    nets: tuple[Net, ...]
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        """Raise if a net was trained on other features or words."""
        if not self.nets:
            raise ModelError("a trained reader needs at least one net")
        for net in self.nets:
            if net.card.features != COLUMNS or len(net.words) != self.vocabulary.size:
                raise ModelError(f"{net.card.label} was trained on other features or words than this version uses")


def line_probabilities(lines: Lines, measured: LineMeasurements, nets: tuple[Net, ...]) -> NDArray[np.float32]:
    """Return the probability of each line to belong to the article; there has to be at least one line."""
    rows, words, counts, lengths = measured.rows, measured.words, measured.counts, np.log1p(lines.words)
    first, *others = nets
    probabilities = first.probabilities(rows, words, counts, lengths)
    # Menus and footers are often longer than the article, and one net is enough to tell them from it.
    likely = (probabilities >= LIKELY).nonzero()[0]
    if others and len(likely) and _doubt(probabilities, lines.words) > SURE:
        near = slice(max(0, int(likely[0]) - MARGIN), int(likely[-1]) + MARGIN + 1)
        window = rows[near], words[near], counts[near], lengths[near]
        total = np.add.reduce([probabilities[near], *(net.probabilities(*window) for net in others)])
        probabilities[near] = total / np.float32(len(nets))
    return probabilities


def _doubt(probabilities: NDArray[np.float32], words: NDArray[np.float32]) -> float:
    """Return the share of the expected words that are expected to be wrong."""
    expected = probabilities * words
    return float(np.add.reduce(expected * (1 - probabilities)) / max(np.add.reduce(expected), 1e-6))


def read(document: Document, *, exact: bool = False, models: Path = SHIPPED) -> Reading:
    """Label title, headings and body; each piece's score is the probability that its line belongs to the article."""
    del exact  # This reader has no published form.
    return read_with(document, load_models(models))


def read_with(document: Document, models: Models) -> Reading:
    """Read a document with nets that are already loaded."""
    labels = np.zeros(len(document.pieces), np.int8)
    scores = np.zeros(len(document.pieces), np.float32)
    lines, measured = measured_lines(document, models.vocabulary)
    if len(lines):
        probabilities = line_probabilities(lines, measured, models.nets)
        probabilities = raise_set_off(document, lines, lower_interruptions(document, lines, probabilities))
        is_body = fill_gaps(choose(probabilities, lines.words), probabilities, lines.links)
        is_body = without_copies(document, lines, is_body)
        # Lines follow each other without a gap, up to the end of the page.
        begin, pieces = lines.first[0], lines.end - lines.first
        labels[begin:] = (is_body * _BODY).repeat(pieces)
        scores[begin:] = probabilities.repeat(pieces)
    labels[in_headings(document) & (labels == _BODY)] = _HEADING
    title = find_headline(document)
    if title is not None and title.node is not None:
        nodes = document.nodes
        labels[nodes.piece_start[title.node] : nodes.piece_end[title.node]] = _TITLE
    return Reading(labels, scores, NAME)


def save(models: Models, folder: Path) -> None:
    """Write models into a folder: one file for the words and one per net."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(NETS):
        old.unlink()
    words = {"names": models.vocabulary.names, "texts": models.vocabulary.texts}
    (folder / WORDS).write_bytes(pack({name: from_text("\n".join(entries)) for name, entries in words.items()}))
    for net in models.nets:
        (folder / f"{net.card.name}.npz").write_bytes(to_bytes(net))


def to_model_arrays(models: Models) -> dict[str, NDArray[Any]]:
    """Return the arrays of all nets and the vocabulary, for a single file."""
    arrays: dict[str, NDArray[Any]] = {
        "names": from_text("\n".join(models.vocabulary.names)),
        "texts": from_text("\n".join(models.vocabulary.texts)),
        "nets": np.array(len(models.nets), "<i4"),
    }
    for number, net in enumerate(models.nets):
        arrays |= {f"net-{number}-{name}": array for name, array in to_arrays(net).items()}
    return arrays


def from_model_arrays(arrays: Mapping[str, NDArray[Any]]) -> Models:
    """Build nets and their vocabulary from the arrays of a single file; raise if they are inconsistent."""
    try:
        number = arrays["nets"]
        if number.shape != () or number.dtype != np.int32 or not 1 <= int(number) <= MAX_NETS:
            raise ModelError(f"a model of the default reader needs 1 to {MAX_NETS} nets")
        names, texts = (to_text(arrays[name]).split("\n") for name in ("names", "texts"))
    except KeyError as error:
        raise ModelError(f"the model has no array {error}") from error
    nets = []
    for place in range(int(number)):
        own = {name: arrays.get(f"net-{place}-{name}") for name in NET_ARRAYS}
        nets.append(from_arrays({name: array for name, array in own.items() if array is not None}))
    return Models(tuple(nets), Vocabulary.build(names, texts))


def model_label() -> str:
    """Return the reader's name with the names and versions of its nets."""
    nets = load_models(SHIPPED).nets
    return f"{NAME} ({', '.join(sorted({net.card.label for net in nets}))})"


@lru_cache(maxsize=8)
def load_models(folder: Path) -> Models:
    """Read models from a folder; cached because every page needs them."""
    vocabulary = shipped_vocabulary() if folder == SHIPPED else load_vocabulary(folder / WORDS)
    return Models(tuple(load(path) for path in sorted(folder.glob(NETS))), vocabulary)
