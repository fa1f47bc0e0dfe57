"""The lines of text that a page shows, with no more than every part of this room needs of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading.subtrees import line_edges, tag_mask

#: What belongs in a head.
_IN_HEADS = tag_mask(frozenset("#comment title base link meta style script noscript template".split()))


@dataclass(frozen=True, slots=True, eq=False)
class TextLines:
    """One row per line with characters outside the page's head, in document order."""

    #: The line's pieces `[first, end)`.
    first: NDArray[np.intp]
    end: NDArray[np.intp]
    #: The nearest element around it that breaks the line.
    block: Ints
    words: Ints
    #: The share of its characters that stands in links.
    links: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.first)


def line_slices(document: Document) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where each line outside the page's head begins and ends among the pieces, none of which is blank."""
    edges = line_edges(document.pieces.line)
    # A page has one head, and its lines come first.
    edges = edges[np.searchsorted(edges, head_end(document)) :]
    return edges[:-1], edges[1:]


def head_end(document: Document) -> int:
    """Return where the pieces of the page's head end.

    A page may leave out `body`. Then the parser keeps all that it does not know from older HTML inside the head; for
    us the head ends where the first element with text stands that belongs in no head.
    """
    nodes = document.nodes
    heads = np.flatnonzero(nodes.tag == CODES["head"])
    if not len(heads):
        return 0
    head = int(heads[0])
    inside = np.flatnonzero(nodes.parent[head : nodes.end[head]] == head) + head
    strange = inside[~_IN_HEADS[nodes.tag[inside]] & (nodes.piece_end[inside] > nodes.piece_start[inside])]
    return int(nodes.piece_start[strange[0]] if len(strange) else nodes.piece_end[head])


def find_text_lines(document: Document) -> TextLines:
    """Return the lines of text of a page."""
    sums = document.sums
    first, end = line_slices(document)
    characters = sums.characters[end] - sums.characters[first]
    links = (sums.link_characters[end] - sums.link_characters[first]) / characters
    return TextLines(first, end, document.pieces.block[first], sums.words[end] - sums.words[first], links)
