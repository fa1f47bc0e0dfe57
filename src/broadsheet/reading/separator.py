"""NCE (Laber et al., 2009): find the separator node, which contains most of the relevant content, and prune it.

The separator is the first suitable ancestor of the first long text. Its children with few links are the relevant
content, up to the first group of short, similar neighbours, which are taken for readers' comments.
"""

from typing import NamedTuple

import numpy as np

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading._subtrees import Mask, differences, subtree_pieces, text_parents
from broadsheet.reading._text_lengths import Lengths, measure
from broadsheet.reading.comments import find_cut
from broadsheet.reading.furniture import furniture
from broadsheet.reading.separator_parameters import PUBLISHED, TUNED, SeparatorParameters
from broadsheet.reading.tidying import raw_reading, tidy_reading

NAME = "separator"

_P = CODES["p"]


class SeparatorResult(NamedTuple):
    """The separator if there is one, the relevant pieces, and the piece at which comments were cut off, if any."""

    node: int | None
    pieces: Mask
    cut: int | None


def find(document: Document, ignored: Mask, parameters: SeparatorParameters) -> SeparatorResult:
    """Run the algorithm as published, outside the ignored pieces."""
    text = measure(document, ignored)
    parents = text_parents(document)
    leaf, node = _separator(document, text, parents, parameters)
    if node is None:
        forest = np.ones(len(document.pieces), np.bool_)
    else:
        forest = _forest(document, text, parents, node, parameters)
    forest &= ~ignored
    cut = find_cut(document, text, forest, leaf, parameters)
    if cut is not None:
        forest[cut:] = False
    return SeparatorResult(node, forest, cut)


def run(document: Document, *, exact: bool = False) -> SeparatorResult:
    """Return the page's relevant content, by the published rules or by stricter ones that ignore page furniture."""
    ignored = subtree_pieces(document, document.rows("head"))
    if exact:
        return find(document, ignored, PUBLISHED)
    return find(document, ignored | furniture(document).take(text_parents(document)), TUNED)


def read(document: Document, *, exact: bool = False) -> Reading:
    """Label the relevant content as the body; its score is its share of the page's characters."""
    result = run(document, exact=exact)
    characters = differences(document.sums.characters)
    score = float(characters[result.pieces].sum() / max(characters.sum(), 1))
    return (raw_reading if exact else tidy_reading)(document, result.pieces, score, NAME)


def _separator(
    document: Document, text: Lengths, parents: Ints, parameters: SeparatorParameters
) -> tuple[int | None, int | None]:
    """Return the first long piece and its closest ancestor that meets the conditions."""
    nodes = document.nodes
    long = np.flatnonzero(text.piece >= parameters.beta_3)
    if not len(long):
        return None, None
    rival = (text.node > parameters.beta_3) & (text.links < parameters.beta_1 * text.node)
    texts = (text.piece > parameters.beta_3) & (document.pieces.link < 0)
    # The root has no parent, so it is treated as its own only child.
    parent = np.maximum(nodes.parent, 0)
    rivals = np.bincount(parent, rival & (nodes.parent >= 0), len(nodes)) + np.bincount(parents, texts, len(nodes))
    siblings = np.where(nodes.parent >= 0, rivals.take(parent) - rival, 0)
    qualified = (nodes.tag != _P) & (text.node >= parameters.beta_2) & (siblings <= 1)
    # The root has no siblings, so a leaf lacks a qualified ancestor only if the whole page is too short.
    leaf = int(long[0])
    node = int(parents[leaf])
    while node >= 0 and not qualified[node]:
        node = int(nodes.parent[node])
    return leaf, node if node >= 0 else None


def _forest(document: Document, text: Lengths, parents: Ints, node: int, parameters: SeparatorParameters) -> Mask:
    """Return the pieces under those children of a node that are not dense in links."""
    children = np.flatnonzero(document.nodes.parent == node)
    few = text.links.take(children) <= parameters.beta_4 * text.node.take(children)
    forest = subtree_pieces(document, children[few])
    forest[(parents == node) & (document.pieces.link < 0)] = True
    return forest
