"""The lines of all examples in columns, and where each page starts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.reading.lines.line_features import COLUMNS, LineMeasurements
from broadsheet.training.line_model._examples import Example

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TablePage:
    """One page of the table, without its text."""

    labels: PageLabels
    lines: int
    #: Words of the body that are on the page, and of the body as labelled; 0 if only snippets are labelled.
    body_words: int
    gold_words: int
    fit: float
    #: Whether the page was made from others rather than found as it is.
    made: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LineTable:
    """One row per line: its features, its known words and its label."""

    pages: tuple[TablePage, ...]
    #: The lines of page `i` are `[start[i], start[i + 1])`.
    start: Longs
    rows: NDArray[np.float16]
    words: csr_matrix
    line_words: NDArray[np.int32]
    body_words: NDArray[np.int32]
    is_body: NDArray[np.int8]

    @classmethod
    def of(cls, examples: Iterable[tuple[Example, LineMeasurements]], size: int) -> "LineTable":
        """Collect examples and their measurements; `size` is the number of words in the vocabulary."""
        pages: list[TablePage] = []
        columns: list[list[NDArray[Any]]] = [[], [], [], [], [], []]
        for example, measured in examples:
            body_words = int(example.body_words.sum())
            pages.append(
                TablePage(example.labels, len(example.lines), body_words, example.gold_words, example.fit, example.made)
            )
            is_word = np.arange(measured.words.shape[1]) < measured.counts[:, None]
            values: tuple[NDArray[Any], ...] = (
                measured.rows.astype(np.float16), measured.words[is_word], measured.counts, example.words,
                example.body_words, example.is_body,
            )  # fmt: skip
            for column, array in zip(columns, values, strict=True):
                column.append(array)
        if not pages:
            raise InputError("no page has a labelled body or snippets to learn from")
        rows, words, counts, line_words, all_body_words, is_body = (np.concatenate(column) for column in columns)
        places = np.concatenate(([0], np.cumsum(counts)))
        matrix = csr_matrix((np.ones(len(words), np.float32), words, places), shape=(len(rows), size))
        start = np.concatenate(([0], np.cumsum([page.lines for page in pages])))
        return cls(tuple(pages), start, rows, matrix, line_words, all_body_words, is_body)

    def lines_of(self, page: int) -> slice:
        """Return the rows of a page's lines."""
        return slice(int(self.start[page]), int(self.start[page + 1]))

    def scale(self, pages: Sequence[int]) -> tuple[Floats, Floats]:
        """Return the mean and standard deviation of each feature over the lines of some pages."""
        total, squares, count = np.zeros(len(COLUMNS)), np.zeros(len(COLUMNS)), 0
        for page in pages:
            rows = self.rows[self.lines_of(page)].astype(np.float64)
            total += rows.sum(axis=0)
            squares += np.square(rows).sum(axis=0)
            count += len(rows)
        mean = total / count
        return mean.astype(np.float32), np.sqrt(np.maximum(squares / count - mean**2, 1e-6)).astype(np.float32)
