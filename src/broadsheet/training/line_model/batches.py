"""Pages laid end to end, with room between them, so that a net sees many at once and none sees another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from broadsheet.training.line_model.line_table import Floats, LineTable

#: Of a longer page, so many lines are looked at in turn.
MOST_LINES = 600
#: How many batches are filled at once with pages of like length.
_TOGETHER = 8
_NOTHING = -1e4


@dataclass(frozen=True, slots=True, eq=False)
class LineBatch:
    """Lines of several pages, with empty ones between."""

    rows: Floats
    words: csr_matrix
    #: 1 for a line, 0 for the room between pages, as a column.
    inside: Floats
    #: Where each page begins, and which page each line is of.
    start: NDArray[np.int64]
    page: NDArray[np.int64]
    #: The logarithm of how much each line says; in the room between pages, as good as nothing.
    lengths: Floats
    is_body: Floats
    #: How much each line counts; those of one page about 1 together, over the number of pages.
    weights: Floats


def draw(table: LineTable, pages: Sequence[int], size: int, chance: Generator) -> Iterator[list[int]]:
    """Give all pages in a drawn order, some at a time."""
    order = chance.permutation(np.asarray(pages))
    for begin in range(0, len(order), size * _TOGETHER):
        some = sorted(order[begin : begin + size * _TOGETHER].tolist(), key=lambda page: table.pages[page].lines)
        for first in range(0, len(some), size):
            yield some[first : first + size]


def gather(  # noqa: PLR0913, PLR0917 - a table, which of its lines, and how
    table: LineTable, pages: Sequence[int], scale: tuple[Floats, Floats], weights: Floats, room: int, chance: Generator
) -> LineBatch:
    """Lay the lines of pages end to end, with `room` empty lines after each; of long pages a part is drawn."""
    lines, places, start, end = [], [], [], 0
    for page in pages:
        start.append(end)
        first, last = int(table.start[page]), int(table.start[page + 1])
        if last - first > MOST_LINES:
            first += int(chance.integers(last - first - MOST_LINES + 1))
            last = first + MOST_LINES
        lines.append(np.arange(first, last))
        places.append(np.arange(end, end + last - first))
        end += last - first + room
    chosen, place = np.concatenate(lines), np.concatenate(places)
    rows = np.zeros((end, table.rows.shape[1]), np.float32)
    rows[place] = (table.rows[chosen].astype(np.float32) - scale[0]) / scale[1]
    inside, is_body, counted = np.zeros((end, 1), np.float32), np.zeros(end, np.float32), np.zeros(end, np.float32)
    inside[place], is_body[place], counted[place] = 1, table.is_body[chosen] > 0, weights[chosen] / len(pages)
    lengths = np.full(end, _NOTHING, np.float32)
    lengths[place] = np.log1p(table.line_words[chosen])
    begins = np.array(start)
    page_of = np.repeat(np.arange(len(pages)), np.diff(np.append(begins, end)))
    return LineBatch(rows, _spread(table.words[chosen], place, end), inside, begins, page_of, lengths, is_body, counted)


def _spread(words: csr_matrix, place: NDArray[np.int64], end: int) -> csr_matrix:
    """Return rows of a sparse matrix at other places of a larger one."""
    counts = np.zeros(end, np.int64)
    counts[place] = np.diff(words.indptr)
    return csr_matrix((words.data, words.indices, np.concatenate(([0], np.cumsum(counts)))), (end, words.shape[1]))
