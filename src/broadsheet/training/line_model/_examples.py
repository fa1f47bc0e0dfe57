"""Training examples: pages whose body is labelled, as a whole or by snippets."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.corrected_labels import corrected_labels
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import Gold, LabelledPage, PageLabels, Split
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.page_words import PageWords
from broadsheet.document import Document, parse
from broadsheet.reading.lines.lines import Lines, find_lines
from broadsheet.reading.paragraphs import collapse

#: Kinds of pages to learn from; what the others call a body is something else.
KINDS = frozenset({"article", "unknown"})
#: Pages whose labelled body fits them less well than this are not used.
MIN_FIT = 0.8
#: The label of a line that no snippet covers.
UNKNOWN = -1
#: A shorter snippet says too little about its line.
MIN_SNIPPET = 12


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page: how many words each line has, how many of them are body, and the label of the line."""

    labels: PageLabels
    document: Document
    lines: Lines
    words: NDArray[np.int32]
    body_words: NDArray[np.int32]
    #: 1 for body, 0 for the rest, `UNKNOWN` without a label.
    is_body: NDArray[np.int8]
    #: Words of the labelled body, on the page or not; 0 if only snippets are labelled.
    gold_words: int
    #: How well the labelled body fits the page: the lower of the coverage and the purity of its alignment.
    fit: float
    #: Whether the page was made from others rather than found as it is.
    made: bool = False

    @property
    def whole(self) -> bool:
        """Whether the whole body is labelled rather than snippets of it."""
        return self.gold_words > 0


def choose(data: Path, splits: frozenset[Split], counters: Counters) -> Iterator[LabelledPage]:
    """Yield the pages to learn from; those that cannot be read are counted."""

    def is_wanted(labels: PageLabels) -> bool:
        return labels.split in splits and labels.kind in KINDS and bool(labels.gold.body or labels.gold.included)

    corpora = find_corpora([data / "pages"])
    return read_pages(corpora, filter(is_wanted, corrected_labels(corpora)), counters)


def examples(pages: Iterable[LabelledPage], counters: Counters) -> Iterator[Example]:
    """Turn pages into examples; those that cannot be used are counted."""
    for page in pages:
        try:
            example = _from_body(page) if page.labels.gold.body else _from_snippets(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        if len(example.lines):
            yield example
        else:
            counters.count("left out", "no line of text")


def _from_body(page: LabelledPage) -> Example:
    truth = Truth.from_page(page)
    fit, counts = truth.labelled.body, truth.words.counts
    lines = find_lines(truth.document)
    words, body_words = _sums_by_line(lines, counts, counts * fit.pieces)
    is_body = (2 * body_words > words).astype(np.int8)
    fitting = min(fit.coverage, fit.purity)
    return Example(page.labels, truth.document, lines, words, body_words, is_body, fit.text_words, fitting)


def from_annotation(page: PageLabels, document: Document, labels: NDArray[np.int8]) -> Example:
    """Turn an annotated page into an example; headings are part of the body."""
    lines, counts = find_lines(document), PageWords.from_document(document).counts
    words, body_words = _sums_by_line(lines, counts, counts * np.isin(labels, (Label.BODY, Label.HEADING)))
    is_body = (2 * body_words > words).astype(np.int8)
    return Example(page, document, lines, words, body_words, is_body, int(body_words.sum()), 1.0)


def _from_snippets(page: LabelledPage) -> Example:
    try:
        document = parse(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        raise Unusable(f"the page is refused: {type(error).__name__}") from error
    lines, counts = find_lines(document), PageWords.from_document(document).counts
    words, zeros = _sums_by_line(lines, counts, np.zeros_like(counts))
    is_body = _label_by_snippets(document, lines, page.labels.gold)
    return Example(page.labels, document, lines, words, np.where(is_body > 0, words, zeros), is_body, 0, 1.0)


def _sums_by_line(lines: Lines, *counts: NDArray[np.int64]) -> NDArray[np.int32]:
    sums = np.zeros((len(counts), len(counts[0]) + 1), np.int64)
    np.cumsum(np.stack(counts), axis=1, out=sums[:, 1:])
    return (sums[:, lines.end] - sums[:, lines.first]).astype(np.int32)


def _label_by_snippets(document: Document, lines: Lines, gold: Gold) -> NDArray[np.int8]:
    labels = np.full(len(lines), UNKNOWN, np.int8)
    kinds = ((1, gold.included), (0, gold.excluded))
    wanted = [
        (kind, text)
        for kind, texts in kinds
        for each in texts
        for text in map(collapse, each.splitlines())
        if len(text) >= MIN_SNIPPET
    ]
    for row, (first, end) in enumerate(zip(lines.first.tolist(), lines.end.tolist(), strict=True)):
        line = collapse("".join(map(document.piece_text, range(first, end))))
        for kind, text in wanted:
            if text in line:
                labels[row] = kind
    return labels
