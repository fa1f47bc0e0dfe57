"""CoreEx: the element whose children hold much text and few links is the article (Prasad and Paepcke, 2008).

A link counts as one word of text, whatever it says. For every element, those of its children whose text is nearly
free of links form its set S; the element scores by the share of words that are no links in S, and a little by the
share of the page's text in S. The text under S of the best element is the article.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading.furniture import furniture
from broadsheet.reading.labelling import as_chosen, tidied
from broadsheet.reading.shape import (
    Longs,
    Mask,
    holders,
    outermost,
    prefix_sums,
    subtree_nodes,
    subtree_pieces,
    tag_mask,
)

NAME = "coreex"
#: What a text node is called among the tags of a set.
TEXT_TAG = "#text"

_HTML, _A = CODES["html"], CODES["a"]
_IGNORED = tag_mask(frozenset({"select", "input", "textarea", "option", "script", "head"}))
_FORM = CODES["form"]


@dataclass(frozen=True, slots=True)
class CoreExParameters:
    """The paper's constants.

    - `threshold`: a child is in S where the share of its words that are no links is larger than this.
    - `weight_ratio`: what the share of words that are no links in S counts for an element.
    - `weight_text`: what the share of the page's text that is in S counts.
    - `form_share`: a form with more than this share of the page's text wraps the page, and is no form to ignore.
    """

    threshold: float = 0.9
    weight_ratio: float = 0.99
    weight_text: float = 0.01
    form_share: float = 0.5


PUBLISHED = CoreExParameters()
#: More weight on text than published, chosen on the training sites: a line of text without a link beats an article
#: with one otherwise.
TUNED = CoreExParameters(weight_ratio=0.93, weight_text=0.07)


class Counts(NamedTuple):
    """CoreEx's counts, a row per node; `pieces` are the words of each piece that count as text."""

    text: Longs
    links: Longs
    set_text: Longs
    set_links: Longs
    in_set: Mask
    pieces: Longs


class CoreExResult(NamedTuple):
    """What CoreEx found: the main content node, the most frequent tag in its set, its score, and the set's pieces."""

    node: int | None
    tag: str | None
    set_tag: str | None
    score: float
    pieces: Mask


def ignored_nodes(document: Document, form_share: float) -> Mask:
    """Return which nodes lie in elements whose text is no content: those of forms, unless one wraps the page."""
    nodes = document.nodes
    ignored = _IGNORED[nodes.tag]
    forms = np.flatnonzero(nodes.tag == _FORM).astype(np.int32)
    if len(forms):
        words = document.total(document.sums.words)
        ignored[forms[words[forms] <= form_share * words[0]]] = True
    return subtree_nodes(document, np.flatnonzero(ignored).astype(np.int32))


def count(document: Document, ignored: Mask, threshold: float) -> Counts:
    """Count words and links for every node and for its set, outside what is ignored."""
    nodes, pieces = document.nodes, document.pieces
    size = len(nodes)
    held = holders(document)
    words = np.diff(document.sums.words).astype(np.int64)
    words[(pieces.link >= 0) | ignored[held]] = 0
    is_link = np.zeros(size, np.bool_)
    anchors = document.hrefs.node[nodes.tag[document.hrefs.node] == _A]
    is_link[outermost(document, anchors)] = True
    is_link &= ~ignored
    word_sums, link_sums = prefix_sums(words), prefix_sums(is_link)
    links = link_sums[nodes.end] - link_sums[:size]
    text = word_sums[nodes.piece_end] - word_sums[nodes.piece_start] + links
    # By division, as the paper has it: nine words of ten are then exactly the threshold, and not above it.
    in_set = (text - links) / np.maximum(text, 1) > threshold
    chosen = np.flatnonzero(in_set & (nodes.parent >= 0))
    parents = nodes.parent[chosen]
    set_text = np.bincount(parents, text[chosen], size) + np.bincount(held, words, size)
    set_links = np.bincount(parents, links[chosen], size)
    return Counts(text, links, set_text.astype(np.int64), set_links.astype(np.int64), in_set, words)


def score(document: Document, counts: Counts, parameters: CoreExParameters) -> NDArray[np.float64]:
    """Return every node's score; the page is its body, so what stands outside of it has none."""
    scores = np.zeros(len(document.nodes))
    scored = np.flatnonzero((counts.set_text > 0) & (document.nodes.tag != _HTML))
    text, links = counts.set_text[scored], counts.set_links[scored]
    ratio = (text - links) / text
    scores[scored] = parameters.weight_ratio * ratio + parameters.weight_text * text / counts.text[0]
    return scores


def best(document: Document, scores: NDArray[np.float64]) -> int | None:
    """Return the node with the highest score; of equals the higher in the tree, then the first."""
    highest = scores.max(initial=0.0)
    if highest <= 0:
        return None
    equals = np.flatnonzero(scores == highest)
    return int(equals[np.argmin(document.nodes.depth[equals])])


def find(document: Document, ignored: Mask, parameters: CoreExParameters) -> CoreExResult:
    """Return what the paper's algorithm finds, to the letter, outside the nodes that are ignored."""
    counts = count(document, ignored, parameters.threshold)
    scores = score(document, counts, parameters)
    node = best(document, scores)
    if node is None:
        return CoreExResult(None, None, None, 0.0, np.zeros(len(document.pieces), np.bool_))
    held = holders(document)
    children = np.flatnonzero(counts.in_set & (document.nodes.parent == node)).astype(np.int32)
    texts = np.flatnonzero((held == node) & (counts.pieces > 0))
    pieces = subtree_pieces(document, children) & ~ignored[held]
    pieces[texts] = True
    tag = _commonest(document, children, texts)
    return CoreExResult(node, document.tag_name(node), tag, float(scores[node]), pieces)


def run(document: Document, *, exact: bool = False) -> CoreExResult:
    """Return what CoreEx finds: with the paper's constants, or with ours and no furniture."""
    ignored = ignored_nodes(document, PUBLISHED.form_share)
    if exact:
        return find(document, ignored, PUBLISHED)
    return find(document, ignored | furniture(document), TUNED)


def read(document: Document, *, exact: bool = False) -> Reading:
    """Label the text under the best element's set as the body."""
    found = run(document, exact=exact)
    return (as_chosen if exact else tidied)(document, found.pieces, found.score, NAME)


def _commonest(document: Document, children: Ints, texts: NDArray[np.intp]) -> str:
    """Name the tag that most members of a set have; of equals the one that comes first in the page."""
    if not len(children):
        return TEXT_TAG
    names = [document.tag_name(int(row)) for row in children]
    counted = {name: names.count(name) for name in dict.fromkeys(names)}
    nodes, pieces = document.nodes, document.pieces
    if len(texts):
        first_text_leads = pieces.start[texts[0]] <= nodes.text_start[children[0]]
        counted = {TEXT_TAG: len(texts), **counted} if first_text_leads else {**counted, TEXT_TAG: len(texts)}
    return max(counted, key=counted.__getitem__)
