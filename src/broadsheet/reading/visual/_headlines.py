"""Which text is a page's headline: not the name of the site, and not more of its line than the headline."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.reading._subtrees import Mask, covered
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.visual.visual_attributes import distance_to_title, stated_title

#: The address of a front page, as it stands in a link.
_FRONT_PAGE: Final = re.compile(
    rb"\s*+(?:(?:https?:)?//[^/?#\s]++/?|/)(?:index\.(?:html?|php))?(?:#\S*+)?\s*+\Z", re.IGNORECASE
)
#: No address of a front page is longer.
_LONGEST: Final = 300


def in_links_to_front_pages(document: Document) -> Mask:
    """Return which pieces link to a front page: they are the name of a site, however large, and never a headline."""
    hrefs, text = document.columns.hrefs, document.columns.href_text
    rows = [
        row
        for row, (start, end) in enumerate(zip(hrefs.start.tolist(), hrefs.end.tolist(), strict=True))
        if end - start <= _LONGEST and _FRONT_PAGE.match(text[start:end])
    ]
    nodes = document.nodes
    links = hrefs.node[rows]
    return covered(nodes.piece_start.take(links), nodes.piece_end.take(links), len(document.pieces))


def headline_pieces(document: Document, piece: int) -> slice:
    """Return the pieces of the headline to which a piece belongs.

    Markup within a headline divides it, and a kicker or a date may stand on the same line. So the whole line, the part
    of it that has the same size, and the piece alone are compared with `<title>`; without one, the size decides.
    """
    lines = document.pieces.line
    line = slice(*np.searchsorted(lines, [lines[piece], lines[piece] + 1]).tolist())
    same = _same_size(document.styles.size[line], piece - line.start)
    part = slice(line.start + same.start, line.start + same.stop)
    stated = stated_title(document)[1]
    if not stated or line == slice(piece, piece + 1):
        return part
    # Of equally near ones the longest is the headline.
    return min((line, part, slice(piece, piece + 1)), key=lambda text: distance_to_title(_text(document, text), stated))


def _same_size(sizes: NDArray[np.float32], piece: int) -> slice:
    """Return the run of equal sizes around a position."""
    breaks = np.flatnonzero(np.diff(sizes)) + 1
    run = int(np.searchsorted(breaks, piece, "right"))
    edges = [0, *breaks.tolist(), len(sizes)]
    return slice(edges[run], edges[run + 1])


def _text(document: Document, pieces: slice) -> str:
    return collapse("".join(map(document.piece_text, range(pieces.start, pieces.stop))))
