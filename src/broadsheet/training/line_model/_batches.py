"""Batches: pages laid end to end with a gap between them, so that no page sees another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from broadsheet.training.line_model._line_table import Floats, LineTable

#: A longer page is cropped to this many lines, at random in each epoch.
MAX_LINES = 600
#: Pages are sorted by length within this many batches, to keep padding small.
_SORTED_BATCHES = 8
_NO_WORDS = -1e4


@dataclass(frozen=True, slots=True, eq=False)
class LineBatch:
    """Lines of several pages, with empty ones between them."""

    rows: Floats
    words: csr_matrix
    #: 1 for a line, 0 for the gap between pages, as a column.
    inside: Floats
    #: Where each page starts, and which page each line belongs to.
    start: NDArray[np.int64]
    page: NDArray[np.int64]
    #: The logarithm of the number of words of each line; in gaps, a large negative number.
    lengths: Floats
    is_body: Floats
    #: The weight of each line in the loss; those of one page sum to about 1 over the number of pages.
    weights: Floats


def draw(table: LineTable, pages: Sequence[int], size: int, rng: Generator) -> Iterator[list[int]]:
    """Yield all pages in random order, in batches of pages of similar length."""
    order = rng.permutation(np.asarray(pages))
    for start in range(0, len(order), size * _SORTED_BATCHES):
        pages_by_length = sorted(
            order[start : start + size * _SORTED_BATCHES].tolist(), key=lambda page: table.pages[page].lines
        )
        for first in range(0, len(pages_by_length), size):
            yield pages_by_length[first : first + size]


def gather(  # noqa: PLR0913, PLR0917 - a table, which of its lines, and how
    table: LineTable, pages: Sequence[int], scale: tuple[Floats, Floats], weights: Floats, gap: int, rng: Generator
) -> LineBatch:
    """Lay the lines of pages end to end, with `gap` empty lines after each; long pages are cropped at random."""
    lines, places, start, end = [], [], [], 0
    for page in pages:
        start.append(end)
        first, last = int(table.start[page]), int(table.start[page + 1])
        if last - first > MAX_LINES:
            first += int(rng.integers(last - first - MAX_LINES + 1))
            last = first + MAX_LINES
        lines.append(np.arange(first, last))
        places.append(np.arange(end, end + last - first))
        end += last - first + gap
    chosen, place = np.concatenate(lines), np.concatenate(places)
    rows = np.zeros((end, table.rows.shape[1]), np.float32)
    rows[place] = (table.rows[chosen].astype(np.float32) - scale[0]) / scale[1]
    inside, is_body, counted = np.zeros((end, 1), np.float32), np.zeros(end, np.float32), np.zeros(end, np.float32)
    inside[place], is_body[place], counted[place] = 1, table.is_body[chosen] > 0, weights[chosen] / len(pages)
    lengths = np.full(end, _NO_WORDS, np.float32)
    lengths[place] = np.log1p(table.line_words[chosen])
    begins = np.array(start)
    page_of = np.repeat(np.arange(len(pages)), np.diff(np.append(begins, end)))
    return LineBatch(rows, _spread(table.words[chosen], place, end), inside, begins, page_of, lengths, is_body, counted)


def _spread(words: csr_matrix, place: NDArray[np.int64], end: int) -> csr_matrix:
    """Move the rows of a sparse matrix to other places of a larger one."""
    counts = np.zeros(end, np.int64)
    counts[place] = np.diff(words.indptr)
    return csr_matrix((words.data, words.indices, np.concatenate(([0], np.cumsum(counts)))), (end, words.shape[1]))
