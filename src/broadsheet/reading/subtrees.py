"""What every reader asks of the columns: who holds a piece, what subtrees cover, which links are outermost."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import TEXT_SLOT, Ints
from broadsheet.document.tags import CODES, NAMES

Mask = NDArray[np.bool_]
Longs = NDArray[np.int64]
Rows = NDArray[np.integer]
Whole = TypeVar("Whole", bound=np.integer)

#: So many slices are marked faster one by one than all at once.
_FEW = 32


def tag_mask(names: frozenset[str]) -> Mask:
    """Return for every tag code whether its name is among these."""
    mask = np.zeros(len(NAMES), np.bool_)
    mask[[CODES[name] for name in names]] = True
    return mask


def holders(document: Document) -> Ints:
    """Return for every piece the element whose child its text is: a tail stands inside the parent of its owner."""
    pieces = document.pieces
    held: Ints = np.where(pieces.slot == TEXT_SLOT, pieces.owner, document.nodes.parent.take(pieces.owner))
    return held


def rows_of(document: Document, tags: Mask) -> NDArray[np.intp]:
    """Return the rows of the elements whose tags a mask has, in document order."""
    return np.flatnonzero(tags.take(document.nodes.tag))


def covered(starts: Rows, ends: Rows, length: int) -> Mask:
    """Return which places of a column lie in at least one of the slices, which may nest or overlap."""
    if len(starts) <= _FEW:
        few = np.zeros(length, np.bool_)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            few[start:end] = True
        return few
    change = np.bincount(starts, minlength=length + 1) - np.bincount(ends, minlength=length + 1)
    mask: Mask = np.cumsum(change[:length]) > 0
    return mask


def subtree_nodes(document: Document, roots: Rows) -> Mask:
    """Return which nodes are among these or below them."""
    return covered(roots, document.nodes.end.take(roots), len(document.nodes))


def subtree_pieces(document: Document, roots: Rows) -> Mask:
    """Return which pieces stand below these nodes."""
    nodes = document.nodes
    return covered(nodes.piece_start.take(roots), nodes.piece_end.take(roots), len(document.pieces))


def outermost(document: Document, rows: NDArray[Whole]) -> NDArray[Whole]:
    """Return those of some rows, given in document order, that lie below none of the others."""
    if not len(rows):
        return rows
    reached = np.maximum.accumulate(document.nodes.end.take(rows))
    first = np.ones(len(rows), np.bool_)
    first[1:] = rows[1:] >= reached[:-1]
    return rows[first]


def differences(sums: NDArray[Whole]) -> NDArray[Whole]:
    """Return what each piece adds to prefix sums; NumPy's own way takes several times as long for so few."""
    own: NDArray[Whole] = sums[1:] - sums[:-1]
    return own


def line_edges(lines: Ints) -> NDArray[np.intp]:
    """Return where each line begins among pieces with these line numbers, and at last where the last one ends."""
    is_edge = np.ones(len(lines) + 1, np.bool_)
    np.not_equal(lines[1:], lines[:-1], out=is_edge[1:-1])
    return np.flatnonzero(is_edge)


def prefix_sums(values: NDArray[np.integer] | Mask) -> Longs:
    """Return the sums over the first 0, 1, 2, … values."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
