"""NCE: a separator node holds most of what is relevant; what is dense in links goes, and comments with all behind them.

The separator is found from the first long text upwards. Its children with few links are the relevant content, as far
as the first group of short, similar neighbours, which are taken for readers' comments.
"""

from typing import NamedTuple

import numpy as np

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading.comments import find_cut
from broadsheet.reading.furniture import furniture
from broadsheet.reading.separator_parameters import PUBLISHED, TUNED, SeparatorParameters
from broadsheet.reading.subtrees import Mask, differences, holders, rows_of, subtree_pieces, tag_mask
from broadsheet.reading.text_lengths import Lengths, measure
from broadsheet.reading.tidying import as_chosen, tidied

NAME = "separator"

_P = CODES["p"]
_HEAD = tag_mask(frozenset({"head"}))


class SeparatorResult(NamedTuple):
    """The separator, if there is one, the pieces that are relevant, and where comments were cut off, if they were."""

    node: int | None
    pieces: Mask
    cut: int | None


def find(document: Document, ignored: Mask, parameters: SeparatorParameters) -> SeparatorResult:
    """Return the relevant content as the algorithm has it, to the letter, outside the ignored pieces."""
    text = measure(document, ignored)
    held = holders(document)
    leaf, node = _separator(document, text, held, parameters)
    if node is None:
        forest = np.ones(len(document.pieces), np.bool_)
    else:
        forest = _forest(document, text, held, node, parameters)
    forest &= ~ignored
    cut = find_cut(document, text, forest, leaf, parameters)
    if cut is not None:
        forest[cut:] = False
    return SeparatorResult(node, forest, cut)


def run(document: Document, *, exact: bool = False) -> SeparatorResult:
    """Return the page's relevant content: by the published rules, or with narrower ones and no furniture."""
    ignored = subtree_pieces(document, rows_of(document, _HEAD))
    if exact:
        return find(document, ignored, PUBLISHED)
    return find(document, ignored | furniture(document).take(holders(document)), TUNED)


def read(document: Document, *, exact: bool = False) -> Reading:
    """Label the relevant content as the body; its score is its share of the page's characters."""
    found = run(document, exact=exact)
    characters = differences(document.sums.characters)
    score = float(characters[found.pieces].sum() / max(characters.sum(), 1))
    return (as_chosen if exact else tidied)(document, found.pieces, score, NAME)


def _separator(
    document: Document, text: Lengths, held: Ints, parameters: SeparatorParameters
) -> tuple[int | None, int | None]:
    """Return the first long piece and the closest of its ancestors that meets the conditions."""
    nodes = document.nodes
    long = np.flatnonzero(text.piece >= parameters.beta_3)
    if not len(long):
        return None, None
    rival = (text.node > parameters.beta_3) & (text.links < parameters.beta_1 * text.node)
    texts = (text.piece > parameters.beta_3) & (document.pieces.link < 0)
    # The root has no parent, and is its own only child here.
    parent = np.maximum(nodes.parent, 0)
    rivals = np.bincount(parent, rival & (nodes.parent >= 0), len(nodes)) + np.bincount(held, texts, len(nodes))
    siblings = np.where(nodes.parent >= 0, rivals.take(parent) - rival, 0)
    qualified = (nodes.tag != _P) & (text.node >= parameters.beta_2) & (siblings <= 1)
    # The root has no siblings, so a leaf has no qualified ancestor only where the whole page is too short.
    leaf = int(long[0])
    node = int(held[leaf])
    while node >= 0 and not qualified[node]:
        node = int(nodes.parent[node])
    return leaf, node if node >= 0 else None


def _forest(document: Document, text: Lengths, held: Ints, node: int, parameters: SeparatorParameters) -> Mask:
    """Return the pieces under those children of a node that are not dense in links."""
    children = np.flatnonzero(document.nodes.parent == node)
    few = text.links.take(children) <= parameters.beta_4 * text.node.take(children)
    forest = subtree_pieces(document, children[few])
    forest[(held == node) & (document.pieces.link < 0)] = True
    return forest
