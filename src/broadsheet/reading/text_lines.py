"""The lines of text on a page, with the few columns that all readers need."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading import _line_scans
from broadsheet.reading._subtrees import line_edges, tag_mask

#: Elements that belong in a head.
_HEAD_CONTENT = tag_mask(frozenset("#comment title base link meta style script noscript template".split())).astype(
    np.uint8
)
_HEAD = CODES["head"]


@dataclass(frozen=True, slots=True, eq=False)
class TextLines:
    """One row per non-empty line outside the page's head, in document order."""

    #: The line's pieces `[first, end)`.
    first: NDArray[np.intp]
    end: NDArray[np.intp]
    #: The nearest block element around it.
    block: Ints
    words: Ints
    #: The share of its characters inside links.
    links: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.first)


def line_slices(document: Document) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pieces `[first, end)` of each line outside the page's head; no piece is blank."""
    edges = line_edges(document.pieces.line)
    # A page has one head, and its lines come first.
    edges = edges[edges.searchsorted(head_end(document)) :]
    return edges[:-1], edges[1:]


def head_end(document: Document) -> int:
    """Return the end of the pieces in the page's head.

    If a page omits `body`, the parser leaves elements newer than HTML 4 inside the head; so the head is taken to end
    at the first element with text that does not belong there.
    """
    nodes = document.nodes
    return _line_scans.head_end(
        nodes.tag, nodes.parent, nodes.end, nodes.piece_start, nodes.piece_end, _HEAD, _HEAD_CONTENT
    )


def find_text_lines(document: Document) -> TextLines:
    """Return the lines of text of a page."""
    sums = document.sums
    first, end = line_slices(document)
    characters = sums.characters[end] - sums.characters[first]
    links = (sums.link_characters[end] - sums.link_characters[first]) / characters
    return TextLines(first, end, document.pieces.block[first], sums.words[end] - sums.words[first], links)
