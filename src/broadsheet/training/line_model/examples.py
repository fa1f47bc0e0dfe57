"""Pages whose lines are learned from: what people say is body, in whole texts or in snippets."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import Gold, LabelledPage, PageLabels, Split
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.page_words import PageWords
from broadsheet.document import Document, parse
from broadsheet.reading.lines.lines import Lines, find_lines
from broadsheet.reading.paragraphs import collapse

#: Kinds of pages that are learned from: the others have bodies of other kinds.
KINDS = frozenset({"article", "unknown"})
#: Whole labels that fit the page less well than this are not learned from.
LEAST_FIT = 0.8
#: A line of which nobody says what it is.
UNKNOWN = -1
#: A snippet that is shorter says too little of the line that it stands in.
LEAST_SNIPPET = 12


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page as it is learned from: the words of each line, how many of them are body, and whether the line is."""

    labels: PageLabels
    document: Document
    lines: Lines
    words: NDArray[np.int32]
    body_words: NDArray[np.int32]
    #: 1 for body, 0 for the rest, `UNKNOWN` where nobody says.
    is_body: NDArray[np.int8]
    #: Words of the body as it is labelled, whether the page has them or not; 0 where only snippets are.
    gold_words: int
    #: How well body and page fit: the share of the body that is found, or of what is found that is body's, if less.
    fit: float

    @property
    def whole(self) -> bool:
        """Whether the whole body is labelled, and not only snippets of it."""
        return self.gold_words > 0


def choose(data: Path, splits: frozenset[Split], counters: Counters) -> Iterator[LabelledPage]:
    """Give the pages that may be learned from; those that cannot be had are counted."""
    corpora = find_corpora([data / "pages"])
    chosen = [
        labels
        for corpus in corpora
        for labels in corpus.labels()
        if labels.split in splits and labels.kind in KINDS and (labels.gold.body or labels.gold.included)
    ]
    return read_pages(corpora, chosen, counters)


def examples(pages: Iterable[LabelledPage], counters: Counters) -> Iterator[Example]:
    """Give the examples that pages make; those that cannot be used at all are counted."""
    for page in pages:
        try:
            example = _of_body(page) if page.labels.gold.body else _of_snippets(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        if len(example.lines):
            yield example
        else:
            counters.count("left out", "no line of text")


def _of_body(page: LabelledPage) -> Example:
    truth = Truth.of(page)
    fit, counts = truth.labelled.body, truth.words.counts
    lines = find_lines(truth.document)
    words, body_words = _in_lines(lines, counts, counts * fit.pieces)
    is_body = (2 * body_words > words).astype(np.int8)
    fitting = min(fit.coverage, fit.purity)
    return Example(page.labels, truth.document, lines, words, body_words, is_body, fit.text_words, fitting)


def _of_snippets(page: LabelledPage) -> Example:
    try:
        document = parse(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        raise Unusable(f"the page is refused: {type(error).__name__}") from error
    lines, counts = find_lines(document), PageWords.of(document).counts
    words, none = _in_lines(lines, counts, np.zeros_like(counts))
    is_body = _snippets(document, lines, page.labels.gold)
    return Example(page.labels, document, lines, words, np.where(is_body > 0, words, none), is_body, 0, 1.0)


def _in_lines(lines: Lines, *counts: NDArray[np.int64]) -> NDArray[np.int32]:
    sums = np.zeros((len(counts), len(counts[0]) + 1), np.int64)
    np.cumsum(np.stack(counts), axis=1, out=sums[:, 1:])
    return (sums[:, lines.end] - sums[:, lines.first]).astype(np.int32)


def _snippets(document: Document, lines: Lines, gold: Gold) -> NDArray[np.int8]:
    found = np.full(len(lines), UNKNOWN, np.int8)
    kinds = ((1, gold.included), (0, gold.excluded))
    wanted = [
        (kind, text)
        for kind, texts in kinds
        for each in texts
        for text in map(collapse, each.splitlines())
        if len(text) >= LEAST_SNIPPET
    ]
    for row, (first, end) in enumerate(zip(lines.first.tolist(), lines.end.tolist(), strict=True)):
        line = collapse("".join(map(document.piece_text, range(first, end))))
        for kind, text in wanted:
            if text in line:
                found[row] = kind
    return found
