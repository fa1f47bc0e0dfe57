"""How doubtful the reading of a page is, which can be seen without knowing the truth.

The reader is unsure of its own lines, another kind of reader takes other text for the article, or the structure of its
reading is wrong.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading.assembly import complete_labels
from broadsheet.reading.paragraphs import to_paragraphs
from broadsheet.reading.readers import DEFAULT, read
from broadsheet.reading.structure_check import structure_errors

#: The reader that the default one is compared with: it uses rules and has learned nothing.
OTHER = "coreex"


@dataclass(frozen=True, slots=True)
class PageDoubt:
    """How doubtful the reading of a page is, by each criterion from 0 to 1."""

    #: The share of F that the reader itself expects to miss.
    margin: float
    #: The share of F that another reader misses if this one is right.
    disagreement: float
    #: Whether the structure of the reading is wrong.
    structure: float


def doubt(document: Document, reader: str = DEFAULT, model: Path | None = None) -> PageDoubt:
    """Read a page twice, and tell how doubtful its reading is."""
    reading = read(document, reader, model=model)
    words = np.diff(document.sums.words).astype(np.float64)
    other = read(document, OTHER)
    labels = complete_labels(document, reading)
    errors = structure_errors(paragraph.label for paragraph in to_paragraphs(document, labels))
    return PageDoubt(
        margin=1 - expected_f(reading, words),
        disagreement=1 - f_between(_text(reading), _text(other), words),
        structure=float(bool(errors)),
    )


def expected_f(reading: Reading, words: NDArray[np.float64]) -> float:
    """Return the F that a reader expects of its reading, if its scores are probabilities."""
    expected = float(np.sum(reading.scores * words))
    chosen = _text(reading)
    total = float(words[chosen].sum()) + expected
    return min(2 * float(np.sum(reading.scores[chosen] * words[chosen])) / total, 1.0) if total else 1.0


def f_between(first: NDArray[np.bool_], second: NDArray[np.bool_], words: NDArray[np.float64]) -> float:
    """Return the F of one set of pieces against another, by their words."""
    total = float(words[first].sum() + words[second].sum())
    return 2 * float(words[first & second].sum()) / total if total else 1.0


def _text(reading: Reading) -> NDArray[np.bool_]:
    return np.isin(reading.labels, (Label.BODY, Label.HEADING))
