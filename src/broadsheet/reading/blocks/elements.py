"""The elements of a page by the lines they hold, and the way up from a line past elements that add nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.reading.blocks.lines import Lines

Longs = NDArray[np.int64]

#: How many elements around a line are looked at, each with more lines than the one before.
LEVELS = 6
#: So many times the way up past elements with the same lines is halved.
_HALVINGS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """One row per element: the lines `[first, end)` inside it, its parent, and the outermost with the same lines."""

    first: Longs
    end: Longs
    parent: Longs
    widest: Longs

    def levels(self, lines: Lines) -> list[Longs]:
        """Return for each line the elements around it, each with more lines than the one before."""
        found = [lines.block.astype(np.int64)]
        for _ in range(LEVELS - 1):
            found.append(self.parent[self.widest[found[-1]]])
        return found


def find_elements(document: Document, lines: Lines) -> Elements:
    """Return which lines each element of a page holds."""
    nodes = document.nodes
    # A table from pieces to lines is looked up faster than places are searched for.
    line_of_piece = np.zeros(len(document.pieces) + 1, np.int64)
    line_of_piece[lines.first + 1] = 1
    np.cumsum(line_of_piece, out=line_of_piece)
    first, end = line_of_piece[nodes.piece_start], line_of_piece[nodes.piece_end]
    parent = np.maximum(nodes.parent, 0).astype(np.int64)
    same = (first == first[parent]) & (end == end[parent])
    widest = np.where(same, parent, np.arange(len(nodes)))
    for _ in range(_HALVINGS):
        widest = widest[widest]
    return Elements(first, end, parent, widest)
