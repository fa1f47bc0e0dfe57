"""Readers' comments: the first group of short neighbours that are the same apart from names and dates."""

from collections.abc import Iterator

import numpy as np

from broadsheet.document import Document
from broadsheet.document.tags import CODES
from broadsheet.reading._common_subsequence import common_length
from broadsheet.reading._subtrees import Mask, outermost, prefix_sums, subtree_pieces
from broadsheet.reading._text_lengths import Lengths
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.separator_parameters import SeparatorParameters

_P = CODES["p"]
#: The letters of most alphabets get a bin each.
_BINS = 128


def find_cut(
    document: Document, text: Lengths, forest: Mask, leaf: int | None, parameters: SeparatorParameters
) -> int | None:
    """Return the piece at which the forest's comments begin, or None if there are none."""
    slices = _candidates(document, text, forest, parameters)
    if len(slices) < parameters.members:
        return None
    group = _first_group(document, slices, parameters)
    if group is None:
        return None
    first, last = slices[group[0]], slices[group[-1]]
    nodes = document.nodes
    above = np.flatnonzero((nodes.piece_start <= first[0]) & (nodes.piece_end >= last[1]))
    start = int(nodes.piece_start[above[-1]])
    cut = first[0] if leaf is None or start <= leaf else start
    relevant = np.where(forest, text.piece, 0)
    return cut if relevant[:cut].sum() >= parameters.least_before * relevant.sum() else None


def _candidates(
    document: Document, text: Lengths, forest: Mask, parameters: SeparatorParameters
) -> list[tuple[int, int]]:
    """Return the pieces `[start, end)` of the outermost nodes, including text nodes, that are as long as comments."""
    nodes = document.nodes
    least, most = parameters.alpha_1, parameters.alpha_2
    inside = prefix_sums(forest)
    fits = (text.node >= least) & (text.node <= most) & (inside.take(nodes.piece_end) > inside.take(nodes.piece_start))
    rows = outermost(document, np.flatnonzero(fits))
    if parameters.boxes_alone:
        rows = rows[nodes.tag.take(rows) != _P]
    slices = list(zip(nodes.piece_start.take(rows).tolist(), nodes.piece_end.take(rows).tolist(), strict=True))
    if parameters.boxes_alone:
        return slices
    alone = forest & (text.piece >= least) & (text.piece <= most) & ~subtree_pieces(document, rows)
    return sorted(slices + [(piece, piece + 1) for piece in np.flatnonzero(alone).tolist()])


def _first_group(
    document: Document, slices: list[tuple[int, int]], parameters: SeparatorParameters
) -> list[int] | None:
    """Return the first sufficiently large group of similar neighbours."""
    # Every text but the first takes part in at least one pair, so texts beyond the cap on pairs are never compared.
    slices = slices[: parameters.most_pairs + 1]
    texts = [_text(document, start, end) for start, end in slices]
    most = _most_in_common(texts, parameters.beta_5)
    groups = [[number] for number in range(len(slices))]
    for left, right in _pairs(len(slices), parameters):
        if groups[left] is groups[right]:
            continue
        if not _similar(texts[left], texts[right], most[right - left][left], parameters):
            continue
        merged = sorted(groups[left] + groups[right])
        if len(merged) >= parameters.members:
            return merged
        for member in merged:
            groups[member] = merged
    return None


def _pairs(count: int, parameters: SeparatorParameters) -> Iterator[tuple[int, int]]:
    remaining = parameters.most_pairs
    for right in range(1, count):
        for left in range(max(0, right - parameters.beta_5), right):
            if remaining == 0:
                return
            remaining -= 1
            yield left, right


def _most_in_common(texts: list[str], distance: int) -> dict[int, list[int]]:
    """Return, per distance, how many characters each text has in common with the one that far after it, in any order.

    This bounds the longest common subsequence and makes most comparisons unnecessary. Characters in one bin are equal.
    """
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32) % _BINS
    text = np.repeat(np.arange(len(texts)), [len(content) for content in texts])
    counts = np.bincount(text * _BINS + codes, minlength=len(texts) * _BINS).reshape(len(texts), _BINS)
    return {apart: np.minimum(counts[apart:], counts[:-apart]).sum(axis=1).tolist() for apart in range(1, distance + 1)}


def _similar(left: str, right: str, most: int, parameters: SeparatorParameters) -> bool:
    shorter, longer = sorted((len(left), len(right)))
    needed = parameters.beta_6 * (longer if parameters.as_longer else shorter)
    return needed <= most and common_length(left, right) >= needed


def _text(document: Document, start: int, end: int) -> str:
    pieces = document.pieces
    return collapse(document.columns.text[pieces.start[start] : pieces.end[end - 1]].decode())
