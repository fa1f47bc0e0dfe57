"""CoreEx: the element whose children have much text and few links is the article (Prasad and Paepcke, 2008).

A link counts as one word of text, regardless of its length. For every element, the children whose text is nearly free
of links form its set S; the element is scored by the share of words in S that are not links, and a little by the share
of the page's text in S. The text under S of the best element is the article.
"""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading._subtrees import (
    Longs,
    Mask,
    differences,
    outermost,
    prefix_sums,
    subtree_nodes,
    subtree_pieces,
    text_parents,
)
from broadsheet.reading.furniture import furniture
from broadsheet.reading.tidying import raw_reading, tidy_reading

NAME = "coreex"
#: The name of text nodes among the tags of a set.
TEXT_TAG = "#text"

_HTML, _A = CODES["html"], CODES["a"]
_IGNORED = ("select", "form", "input", "textarea", "option", "script", "head")
_FORM = CODES["form"]


@dataclass(frozen=True, slots=True)
class CoreExParameters:
    """The paper's constants.

    - `threshold`: a child is in S if more than this share of its words are not links.
    - `weight_ratio`: the weight of the share of words in S that are not links.
    - `weight_text`: the weight of the share of the page's text in S.
    - `form_share`: a form with more than this share of the page's text wraps the page and is not ignored.
    """

    threshold: float = 0.9
    weight_ratio: float = 0.99
    weight_text: float = 0.01
    form_share: float = 0.5


PUBLISHED = CoreExParameters()
#: More weight on text than published, tuned on the training sites; otherwise a single line without a link beats an
#: article with one.
TUNED = CoreExParameters(weight_ratio=0.93, weight_text=0.07)


class CoreExCounts(NamedTuple):
    """CoreEx's counts per node, the number of counted words per piece (`pieces`) and the parent element of each."""

    text: Longs
    links: Longs
    set_text: Longs
    set_links: Longs
    in_set: Mask
    text_parents: Ints
    pieces: Longs


class CoreExChoice(NamedTuple):
    """The main content node, its score, and its set: child elements, text nodes, and all pieces in either."""

    node: int
    score: float
    children: NDArray[np.intp]
    texts: NDArray[np.intp]
    pieces: Mask


class CoreExResult(NamedTuple):
    """CoreEx's result: the main content node, the most frequent tag in its set, its score, and the set's pieces."""

    node: int | None
    tag: str | None
    set_tag: str | None
    score: float
    pieces: Mask


def ignored_nodes(document: Document, form_share: float) -> Mask:
    """Return which nodes are in elements without content, such as forms, unless a form wraps the page."""
    nodes, words = document.nodes, document.sums.words
    rows = document.rows(*_IGNORED)
    is_form = nodes.tag.take(rows) == _FORM
    if is_form.any():
        inside = words.take(nodes.piece_end.take(rows)) - words.take(nodes.piece_start.take(rows))
        rows = rows[~is_form | (inside <= form_share * words[-1])]
    return subtree_nodes(document, rows)


def count(document: Document, ignored: Mask, threshold: float) -> CoreExCounts:
    """Count words and links for every node and its set, outside ignored nodes."""
    nodes, pieces = document.nodes, document.pieces
    size = len(nodes)
    parent_of = text_parents(document)
    words = differences(document.sums.words).astype(np.int64)
    words[(pieces.link >= 0) | ignored.take(parent_of)] = 0
    word_sums, link_sums = prefix_sums(words), prefix_sums(_links(document, ignored))
    links = link_sums.take(nodes.end) - link_sums[:size]
    text = word_sums.take(nodes.piece_end) - word_sums.take(nodes.piece_start) + links
    # Dividing, as the paper does, makes nine words of ten equal to the threshold, not above it.
    in_set = (text - links) / np.maximum(text, 1) > threshold
    # The root comes first and has no parent.
    chosen = np.flatnonzero(in_set[1:]) + 1
    parents = nodes.parent.take(chosen)
    set_text = np.bincount(parents, text.take(chosen), size) + np.bincount(parent_of, words, size)
    set_links = np.bincount(parents, links.take(chosen), size)
    return CoreExCounts(text, links, set_text.astype(np.int64), set_links.astype(np.int64), in_set, parent_of, words)


def _links(document: Document, ignored: Mask) -> Mask:
    """Return which nodes are links, without nested and ignored ones."""
    linking = document.hrefs.node
    anchors = outermost(document, linking[document.nodes.tag.take(linking) == _A])
    is_link = np.zeros(len(ignored), np.bool_)
    is_link[anchors] = ~ignored.take(anchors)
    return is_link


def score(document: Document, counts: CoreExCounts, parameters: CoreExParameters) -> NDArray[np.float64]:
    """Return every node's score; `html` has none because the page is its body."""
    scores = np.zeros(len(document.nodes))
    scored = np.flatnonzero((counts.set_text > 0) & (document.nodes.tag != _HTML))
    text, links = counts.set_text[scored], counts.set_links[scored]
    ratio = (text - links) / text
    scores[scored] = parameters.weight_ratio * ratio + parameters.weight_text * text / counts.text[0]
    return scores


def best(document: Document, scores: NDArray[np.float64]) -> int | None:
    """Return the node with the highest score; ties go to the one higher in the tree, then to the first."""
    highest = scores.max(initial=0.0)
    if highest <= 0:
        return None
    ties = np.flatnonzero(scores == highest)
    return int(ties[np.argmin(document.nodes.depth[ties])])


def find(document: Document, ignored: Mask, parameters: CoreExParameters) -> CoreExResult:
    """Run the paper's algorithm outside the ignored nodes."""
    chosen = choose(document, ignored, count(document, ignored, parameters.threshold), parameters)
    if chosen is None:
        return CoreExResult(None, None, None, 0.0, np.zeros(len(document.pieces), np.bool_))
    tag = _commonest(document, chosen.children, chosen.texts)
    return CoreExResult(chosen.node, document.tag_name(chosen.node), tag, chosen.score, chosen.pieces)


def choose(
    document: Document, ignored: Mask, counts: CoreExCounts, parameters: CoreExParameters
) -> CoreExChoice | None:
    """Return the best node and its set, given the counts, or None if no node has text."""
    scores = score(document, counts, parameters)
    node = best(document, scores)
    if node is None:
        return None
    children = np.flatnonzero(counts.in_set & (document.nodes.parent == node))
    texts = np.flatnonzero((counts.text_parents == node) & (counts.pieces > 0))
    pieces = subtree_pieces(document, children)
    pieces &= ~ignored.take(counts.text_parents)
    pieces[texts] = True
    return CoreExChoice(node, float(scores[node]), children, texts, pieces)


def run(document: Document, *, exact: bool = False) -> CoreExResult:
    """Run CoreEx with the paper's constants, or with tuned ones and without page furniture."""
    ignored, parameters = _mode(document, exact)
    return find(document, ignored, parameters)


def read(document: Document, *, exact: bool = False) -> Reading:
    """Label the text under the best element's set as the body."""
    ignored, parameters = _mode(document, exact)
    chosen = choose(document, ignored, count(document, ignored, parameters.threshold), parameters)
    pieces = np.zeros(len(document.pieces), np.bool_) if chosen is None else chosen.pieces
    return (raw_reading if exact else tidy_reading)(document, pieces, chosen.score if chosen else 0.0, NAME)


def _mode(document: Document, exact: bool) -> tuple[Mask, CoreExParameters]:
    """Return the ignored nodes and the parameters, published or tuned."""
    ignored = ignored_nodes(document, PUBLISHED.form_share)
    return (ignored, PUBLISHED) if exact else (ignored | furniture(document), TUNED)


def _commonest(document: Document, children: NDArray[np.intp], texts: NDArray[np.intp]) -> str:
    """Return the most frequent tag in a set; ties go to the one that comes first on the page."""
    if not len(children):
        return TEXT_TAG
    counts: dict[str, int] = Counter(document.tag_name(row) for row in children.tolist())
    nodes, pieces = document.nodes, document.pieces
    if len(texts):
        first_text_leads = pieces.start[texts[0]] <= nodes.text_start[children[0]]
        counts = {TEXT_TAG: len(texts), **counts} if first_text_leads else {**counts, TEXT_TAG: len(texts)}
    return max(counts, key=counts.__getitem__)
