"""The trained reader: two passes of boosted trees over the lines of a page tell which of them are the article's.

The first pass judges each line by its text, its place and the elements around it. The second sees what the first said
of the lines around, of those in the same elements and of those of the same make. Lines are then taken so that the F to
be expected is highest.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.models.files import load
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.blocks.choice import choose
from broadsheet.reading.blocks.features import measure
from broadsheet.reading.blocks.lines import Lines, find_lines
from broadsheet.reading.blocks.names import NameScores, shipped_names
from broadsheet.reading.blocks.second import measure_again
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.titles import Title, find_title

NAME = "trained"

_DATA = Path(__file__).parent / "data"
FIRST, SECOND = "body-first.npz", "body-second.npz"


@dataclass(frozen=True, slots=True)
class Models:
    """What the reader has learned: a model for each pass, and what the names of elements say."""

    first: TreeEnsemble
    second: TreeEnsemble
    names: NameScores


def likelihoods(document: Document, lines: Lines, title: int | None, models: Models) -> NDArray[np.float64]:
    """Return for each line of a page, of which there is at least one, how likely it is the article's."""
    features = measure(document, lines, title, models.names)
    likely = models.first.probabilities(features.rows)[:, 0]
    _, rows = measure_again(features, lines, likely)
    return models.second.probabilities(rows)[:, 0]


def line_of(document: Document, lines: Lines, title: Title | None) -> int | None:
    """Return the line where a title begins, where an element of the page holds it."""
    if title is None or title.node is None:
        return None
    return int(np.searchsorted(lines.first, document.nodes.piece_start[title.node]))


def read(document: Document, *, exact: bool = False) -> Reading:
    """Label title, headings and body; each piece's score is how likely its line is the article's."""
    del exact  # Nothing was published that this could be the letter of.
    labels = np.zeros(len(document.pieces), np.int8)
    scores = np.zeros(len(document.pieces), np.float32)
    lines = find_lines(document)
    title = find_title(document)
    if len(lines):
        likely = likelihoods(document, lines, line_of(document, lines, title), _shipped())
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


@cache
def _shipped() -> Models:
    return Models(load(_DATA / FIRST), load(_DATA / SECOND), shipped_names())
