"""CoreEx on one page under every setting: two variants, each with a grid of thresholds and weights."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from lxml import etree

from broadsheet.base.journal import Row
from broadsheet.base.records import Label
from broadsheet.corpora.alignment import Bools
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap, piece_overlap
from broadsheet.corpora.page_scoring import Truth
from broadsheet.document import Document, parse
from broadsheet.reading import coreex, read
from broadsheet.reading.coreex import CoreExParameters
from broadsheet.reading.furniture import furniture
from broadsheet.reading.tidying import raw_reading, tidy_reading

Input = TypeVar("Input")
Variant = Literal["exact", "default"]

VARIANTS: tuple[Variant, ...] = ("exact", "default")
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
#: The weight of the share of the page's text; the share of words outside links has the remaining weight.
TEXT_WEIGHTS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5)
#: Times are the minimum of this many runs, each on a freshly parsed document.
REPEATS = 3


class CoreExVariant(NamedTuple):
    """A variant of CoreEx with its two constants."""

    variant: Variant
    threshold: float
    weight_text: float

    @property
    def parameters(self) -> CoreExParameters:
        """The parameters for CoreEx; the weights sum to one."""
        return CoreExParameters(self.threshold, round(1 - self.weight_text, 6), self.weight_text)


SETTINGS: tuple[CoreExVariant, ...] = tuple(
    CoreExVariant(*values) for values in product(VARIANTS, THRESHOLDS, TEXT_WEIGHTS)
)
PUBLISHED = CoreExVariant("exact", coreex.PUBLISHED.threshold, coreex.PUBLISHED.weight_text)
TUNED = CoreExVariant("default", coreex.TUNED.threshold, coreex.TUNED.weight_text)


@dataclass(frozen=True, slots=True)
class GridMeasurements:
    """The figures of one page: overlaps under each setting, and times."""

    pieces: tuple[Overlap, ...]
    words: tuple[Overlap, ...]
    #: Milliseconds of CPU time by step.
    times: dict[str, float]

    def to_row(self) -> Row:
        """Return the figures as JSON-compatible types; the answer is the same under every setting."""
        overlaps = zip(self.pieces, self.words, strict=True)
        return {
            "answer": [self.pieces[0].answer, self.words[0].answer],
            "taken": [[pieces.correct, pieces.extracted, words.correct, words.extracted] for pieces, words in overlaps],
            "ms": self.times,
        }

    @classmethod
    def from_row(cls, row: Row) -> "GridMeasurements":
        """Rebuild the figures from a row."""
        pieces, words = row["answer"]
        return cls(
            tuple(Overlap(counts[0], counts[1], pieces) for counts in row["taken"]),
            tuple(Overlap(counts[2], counts[3], words) for counts in row["taken"]),
            row["ms"],
        )


class GridOutcome(NamedTuple):
    """A page's name with its figures, or with the reason for having none."""

    page: str
    row: Row


def measure(page: LabelledPage) -> GridOutcome:
    """Measure one page; the row of an unusable page has the reason."""
    try:
        truth = Truth.from_page(page)
    except Unusable as reason:
        return GridOutcome(page.labels.id, {"left_out": str(reason)})
    answer, weights = truth.labelled.body.pieces, truth.words.counts
    extracted = list(readings(truth.document))
    measured = GridMeasurements(
        tuple(piece_overlap(pieces, answer) for pieces in extracted),
        tuple(piece_overlap(pieces, answer, weights) for pieces in extracted),
        times(page.html),
    )
    return GridOutcome(page.labels.id, measured.to_row())


def readings(document: Document) -> Iterator[Bools]:
    """Yield the pieces that CoreEx extracts under each setting, in order."""
    ignored = coreex.ignored_nodes(document, coreex.PUBLISHED.form_share)
    for variant in VARIANTS:
        left_out = ignored if variant == "exact" else ignored | furniture(document)
        for threshold in THRESHOLDS:
            counts = coreex.count(document, left_out, threshold)
            for weight in TEXT_WEIGHTS:
                parameters = CoreExVariant(variant, threshold, weight).parameters
                yield _extracted_pieces(document, variant, coreex.choose(document, left_out, counts, parameters))


def times(data: bytes) -> dict[str, float]:
    """Return the CPU time of lxml's parse, of parsing the document, and of each variant on the document."""
    document = partial(parse, data, encoding="utf-8")
    return {
        "lxml": _fastest(lambda: data, lambda page: etree.fromstring(page, _parser())),
        "document": _fastest(lambda: data, lambda page: parse(page, encoding="utf-8")),
        "exact": _fastest(document, partial(read, reader=coreex.NAME, exact=True)),
        "default": _fastest(document, partial(read, reader=coreex.NAME)),
    }


def _extracted_pieces(document: Document, variant: Variant, chosen: coreex.CoreExChoice | None) -> Bools:
    """Return the pieces that the reader labels as article text, argument CoreEx's choice."""
    if chosen is None:
        return np.zeros(len(document.pieces), np.bool_)
    labels = (raw_reading if variant == "exact" else tidy_reading)(
        document, chosen.pieces, chosen.score, coreex.NAME
    ).labels
    pieces: Bools = np.isin(labels, (Label.BODY, Label.HEADING))
    return pieces


def _fastest(prepare: Callable[[], Input], work: Callable[[Input], object]) -> float:
    spent = []
    for _ in range(REPEATS):
        argument = prepare()
        begin = time.process_time_ns()
        work(argument)
        spent.append(time.process_time_ns() - begin)
    return min(spent) / 1e6


def _parser() -> etree.HTMLParser:
    # The options of the document's own parser.
    return etree.HTMLParser(encoding="utf-8", huge_tree=True)
