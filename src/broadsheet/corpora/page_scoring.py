"""Scores systems on one page by comparing their output with its labels."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora._labelling import Labelled, label, trace
from broadsheet.corpora.alignment import Bools
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.eras import era
from broadsheet.corpora.labelled_page import Gold, LabelledPage
from broadsheet.corpora.measures import Overlap, all_overlaps, is_exact, label_overlaps, piece_overlap
from broadsheet.corpora.page_words import PageWords
from broadsheet.corpora.results import Result, digest
from broadsheet.corpora.systems import CrossValidated, System
from broadsheet.document import Document, parse

#: A page with a smaller share of its labelled body cannot be used for evaluation.
MIN_COVERAGE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A page with its ground truth: one label per piece."""

    page: LabelledPage
    document: Document
    words: PageWords
    labelled: Labelled

    @classmethod
    def from_page(cls, page: LabelledPage) -> "Truth":
        """Parse and label a page; raise Unusable if the labels do not match the page."""
        gold = page.labels.gold
        if not gold.body:
            raise Unusable("no body is labelled")
        if gold.disagrees:
            raise Unusable("label and page disagree, by the corpus's own count")
        document = _parsed(page)
        words = PageWords.from_document(document)
        labelled = label(document, gold, words)
        if labelled.body.coverage < MIN_COVERAGE:
            raise Unusable("less than half of the body is found in the page")
        return cls(page, document, words, labelled)


def piece_labels(page: LabelledPage) -> tuple[Document, NDArray[np.int8]]:
    """Return a page and one label per piece, for as much as is labelled: pages without a labelled body have no body."""
    document = _parsed(page)
    return document, label(document, page.labels.gold).labels


def _parsed(page: LabelledPage) -> Document:
    try:
        return parse(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        raise Unusable(f"the page is refused: {type(error).__name__}") from error


def score_system(truth: Truth, system: System) -> Result:
    """Run a system on a page; if it fails, its text is empty and the error is recorded."""
    page, seconds, text, labels, error = truth.page, None, "", None, None
    if isinstance(system, CrossValidated):
        system = system.on(page.labels.site)
    begin = time.process_time()
    try:
        text = system.read(page.html, page.labels.url)
        seconds = time.process_time() - begin
        labels = system.labels(truth.document)
    except Exception as failure:  # noqa: BLE001 - any error of a peer is a result, and is counted
        text, error = "", type(failure).__name__
    return result_of(truth, system.name, system.version, text, labels=labels, seconds=seconds, error=error)


def result_of(  # noqa: PLR0913 - the optional arguments are keyword-only
    truth: Truth,
    system: str,
    version: str,
    text: str,
    *,
    labels: NDArray[np.int8] | None = None,
    seconds: float | None = None,
    error: str | None = None,
) -> Result:
    """Compare the text that a system extracted with the ground truth."""
    took = _extracted_pieces(truth, text, labels)
    body, counts, page = truth.labelled.body.pieces, truth.words.counts, truth.page.labels
    gold_body = page.gold.body or ""
    overlaps = {
        **all_overlaps(text, gold_body),
        "pieces": piece_overlap(took, body),
        "piece_words": piece_overlap(took, body, counts),
    }
    return Result(
        page=page.id,
        corpus=page.corpus,
        site=page.site,
        language=page.language,
        digest=digest(truth.page),
        system=system,
        version=version,
        seconds=seconds,
        error=error,
        exact=is_exact(text, gold_body),
        overlaps=overlaps,
        labels={} if labels is None else _label_overlaps(labels, truth.labelled.labels, page.gold),
        took=tuple(_ranges(took)),
        era=era(page),
    )


def _extracted_pieces(truth: Truth, text: str, labels: NDArray[np.int8] | None) -> Bools:
    """Return the pieces that a system extracted: by its own labels, or by locating its text in the page."""
    if labels is not None:
        return np.isin(labels, (Label.BODY, Label.HEADING))
    return trace(truth.words, text, truth.labelled.body.pieces).pieces


def _label_overlaps(labels: NDArray[np.int8], answer: NDArray[np.int8], gold: Gold) -> Mapping[str, Overlap]:
    """Compare the labels of the fields that are labelled and located in the page."""
    fields = {Label.TITLE: gold.title, Label.DATE: gold.date, Label.AUTHOR: gold.authors, Label.HEADING: gold.headings}
    kinds = [kind for kind, value in fields.items() if value and (answer == kind).any()]
    overlaps = label_overlaps(labels, answer, [*kinds, Label.BODY])
    return {kind.name.lower(): overlap for kind, overlap in overlaps.items()}


def _ranges(rows: Bools) -> Iterator[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(rows.astype(np.int8), prepend=0, append=0))
    return ((int(first), int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True))
