"""Text lengths of pieces and subtrees, without ignored pieces."""

from typing import NamedTuple

import numpy as np

from broadsheet.document import Document
from broadsheet.reading._subtrees import Longs, Mask, differences, prefix_sums


class Lengths(NamedTuple):
    """Characters per piece, per subtree, and per subtree inside links."""

    piece: Longs
    node: Longs
    links: Longs


def measure(document: Document, ignored: Mask) -> Lengths:
    """Count the characters of every piece and subtree, with ignored pieces as empty."""
    nodes = document.nodes
    characters = differences(document.sums.characters).astype(np.int64)
    characters[ignored] = 0
    totals = []
    for values in (characters, np.where(document.pieces.link >= 0, characters, 0)):
        sums = prefix_sums(values)
        totals.append(sums.take(nodes.piece_end) - sums.take(nodes.piece_start))
    return Lengths(characters, totals[0], totals[1])
