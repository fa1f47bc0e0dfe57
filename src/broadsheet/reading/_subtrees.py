"""Queries over the columns that all readers share: parents of text, subtree masks, prefix sums."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import TEXT_SLOT, Ints
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading._assembly_scans import mark_slices

Mask = NDArray[np.bool_]
Longs = NDArray[np.int64]
Rows = NDArray[np.integer]
Integer = TypeVar("Integer", bound=np.integer)


def tag_mask(names: frozenset[str]) -> Mask:
    """Return a mask over tag codes that is true for the given names."""
    mask = np.zeros(len(NAMES), np.bool_)
    mask[[CODES[name] for name in names]] = True
    return mask


def text_parents(document: Document) -> Ints:
    """Return the parent element of every piece; that of a tail is the parent of its owner."""
    pieces = document.pieces
    parents: Ints = np.where(pieces.slot == TEXT_SLOT, pieces.owner, document.nodes.parent.take(pieces.owner))
    return parents


def covered(starts: Rows, ends: Rows, length: int) -> Mask:
    """Return which positions of a column are in at least one of the slices, which may nest or overlap."""
    return mark_slices(np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(ends, np.int32), length)


def subtree_nodes(document: Document, roots: Rows) -> Mask:
    """Return a mask of the given nodes and their descendants."""
    return covered(roots, document.nodes.end.take(roots), len(document.nodes))


def subtree_pieces(document: Document, roots: Rows) -> Mask:
    """Return a mask of the pieces below the given nodes."""
    nodes = document.nodes
    return mark_slices(nodes.piece_start.take(roots), nodes.piece_end.take(roots), len(document.pieces))


def outermost(document: Document, rows: NDArray[Integer]) -> NDArray[Integer]:
    """Return the rows that are not below any other, given in document order."""
    if not len(rows):
        return rows
    reached = np.maximum.accumulate(document.nodes.end.take(rows))
    first = np.ones(len(rows), np.bool_)
    first[1:] = rows[1:] >= reached[:-1]
    return rows[first]


def differences(sums: NDArray[Integer]) -> NDArray[Integer]:
    """Return the values behind prefix sums; for short arrays this is several times faster than `np.diff`."""
    values: NDArray[Integer] = sums[1:] - sums[:-1]
    return values


def line_edges(lines: Ints) -> NDArray[np.intp]:
    """Return where each line begins among pieces with these line numbers, followed by the end of the last line."""
    is_edge = np.ones(len(lines) + 1, np.bool_)
    np.not_equal(lines[1:], lines[:-1], out=is_edge[1:-1])
    return is_edge.nonzero()[0]


def prefix_sums(values: NDArray[np.integer] | Mask) -> Longs:
    """Return the sums over the first 0, 1, 2, … values."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
