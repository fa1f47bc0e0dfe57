"""What every reader asks of the columns: who holds a piece, what subtrees cover, which links are outermost."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import TEXT_SLOT, Ints
from broadsheet.document.tags import CODES, NAMES

Mask = NDArray[np.bool_]
Longs = NDArray[np.int64]


def tag_mask(names: frozenset[str]) -> Mask:
    """Return for every tag code whether its name is among these."""
    mask = np.zeros(len(NAMES), np.bool_)
    mask[[CODES[name] for name in names]] = True
    return mask


def holders(document: Document) -> Ints:
    """Return for every piece the element whose child its text is: a tail stands inside the parent of its owner."""
    pieces = document.pieces
    held: Ints = np.where(pieces.slot == TEXT_SLOT, pieces.owner, document.nodes.parent[pieces.owner])
    return held


def covered(starts: Ints, ends: Ints, length: int) -> Mask:
    """Return which places of a column lie in at least one of the slices, which may nest or overlap."""
    change = np.bincount(starts, minlength=length + 1) - np.bincount(ends, minlength=length + 1)
    mask: Mask = np.cumsum(change[:length]) > 0
    return mask


def subtree_nodes(document: Document, roots: Ints) -> Mask:
    """Return which nodes are among these or below them."""
    return covered(roots, document.nodes.end[roots], len(document.nodes))


def subtree_pieces(document: Document, roots: Ints) -> Mask:
    """Return which pieces stand below these nodes."""
    nodes = document.nodes
    return covered(nodes.piece_start[roots], nodes.piece_end[roots], len(document.pieces))


def outermost(document: Document, rows: Ints) -> Ints:
    """Return those of some rows, given in document order, that lie below none of the others."""
    if not len(rows):
        return rows
    reached = np.maximum.accumulate(document.nodes.end[rows])
    first = np.ones(len(rows), np.bool_)
    first[1:] = rows[1:] >= reached[:-1]
    return rows[first]


def prefix_sums(values: NDArray[np.integer] | Mask) -> Longs:
    """Return the sums over the first 0, 1, 2, … values."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
