"""Which page to annotate next: one that stands for many others that the reader is in doubt about.

Whether a page is read badly can be seen without knowing the truth: the reader is unsure of its own lines, another kind
of reader takes other text for the article, or the structure of its reading is wrong. But the most doubtful pages are
often odd ones, from which nothing can be learned for others. So pages are chosen whose layout is like that of many
doubtful pages, and unlike that of those chosen before.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.corpora.annotation.layout_likeness import Doubles, covering_order, layout, likeness
from broadsheet.document import Document
from broadsheet.reading.assembly import complete_labels
from broadsheet.reading.paragraphs import to_paragraphs
from broadsheet.reading.readers import DEFAULT, read
from broadsheet.reading.structure_check import structure_errors

#: What a page counts that the reader has no doubt about; its doubt comes on top.
LEAST_WEIGHT = 0.2
#: The reader that the default one is compared with: it uses rules and has learned nothing.
OTHER = "coreex"


@dataclass(frozen=True, slots=True)
class PageDoubt:
    """How doubtful the reading of a page is, by each criterion from 0 to 1."""

    name: str
    site: str
    #: The share of F that the reader itself expects to miss.
    margin: float
    #: The share of F that another reader misses if this one is right.
    disagreement: float
    #: Whether the structure of the reading is wrong.
    structure: float
    layout: Doubles = field(default_factory=lambda: np.zeros(0), compare=False, repr=False)

    @property
    def value(self) -> float:
        """All criteria together; the margin tells bad readings best, so it counts most."""
        return self.margin + 0.1 * self.disagreement + 0.01 * self.structure


def doubt(name: str, site: str, document: Document, reader: str = DEFAULT, model: Path | None = None) -> PageDoubt:
    """Read a page twice, and tell how doubtful its reading is."""
    reading = read(document, reader, model=model)
    words = np.diff(document.sums.words).astype(np.float64)
    other = read(document, OTHER)
    labels = complete_labels(document, reading)
    errors = structure_errors(paragraph.label for paragraph in to_paragraphs(document, labels))
    return PageDoubt(
        name,
        site,
        margin=1 - expected_f(reading, words),
        disagreement=1 - f_between(_text(reading), _text(other), words),
        structure=float(bool(errors)),
        layout=layout(document),
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


def covering_doubt_first(doubts: Sequence[PageDoubt], annotated: Sequence[Doubles] = ()) -> list[str]:
    """Return the names of pages in the order of annotation: each is like many doubtful ones that none before is like.

    `annotated` are the layouts of pages that are already annotated.
    """
    if not doubts:
        return []
    ranked = sorted(doubts, key=lambda one: (-one.value, one.name))
    alike = likeness([*(one.layout for one in ranked), *annotated])
    weights = np.array([*(LEAST_WEIGHT + one.value for one in ranked), *([0.0] * len(annotated))])
    order = covering_order(alike, weights, range(len(ranked), len(alike)))
    return [ranked[place].name for place in order]


def _text(reading: Reading) -> NDArray[np.bool_]:
    return np.isin(reading.labels, (Label.BODY, Label.HEADING))
