"""How a page is built: its text, links, paragraphs, headings and repetitions, counted over the columns."""

from typing import NamedTuple

import numpy as np

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.link_collections import collect
from broadsheet.document.tags import CODES
from broadsheet.reading.shape import Longs, Mask, prefix_sums, tag_mask

#: A line of so many words outside links is a paragraph, and one of so many is more than a teaser.
PARAGRAPH, LONG_PARAGRAPH = 15, 40
#: A link of so many words says what happened; one of fewer names a place.
HEADLINE = 5

_HEADINGS = tag_mask(frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}))
_CONTROLS = tag_mask(frozenset({"input", "select", "textarea"}))


class Shape(NamedTuple):
    """Counts and shares of a page's parts, the same in every language."""

    words: float
    links: float
    #: The share of characters that stand in links.
    link_share: float
    words_a_link: float
    headline_links: float
    #: The words of headline-like links for every word outside links.
    headline_ratio: float
    paragraphs: float
    long_paragraphs: float
    longest_paragraph: float
    #: The share of words outside links that stand in paragraphs.
    paragraph_share: float
    #: The paragraphs of the element that directly holds most of their words, and its share of those words.
    together: float
    together_share: float
    #: The words in that element.
    together_words: float
    headings: float
    linked_headings: float
    #: The share of headings that are links.
    linked_heading_share: float
    h1: float
    h1_words: float
    #: The share of the words in long texts that follows the first h1; -1 without either.
    after_h1: float
    title_words: float
    times: float
    articles: float
    pictures: float
    controls: float
    #: Links in the largest group of links that are like each other and have headlines.
    largest_collection: float


def shape(document: Document) -> Shape:
    """Count the parts of a page."""
    nodes, pieces, sums = document.nodes, document.pieces, document.sums
    words = np.diff(sums.words).astype(np.int64)
    in_link = pieces.link >= 0
    free = int(words[~in_link].sum())
    characters, link_characters = int(sums.characters[-1]), int(sums.link_characters[-1])
    links = len(document.hrefs)
    anchors = document.total(sums.words)[document.hrefs.node]
    headline_words = int(anchors[anchors >= HEADLINE].sum())
    counts = (
        int(words.sum()),
        links,
        link_characters / characters if characters else 0.0,
        free / max(links, 1),
        int((anchors >= HEADLINE).sum()),
        headline_words / max(free, 1),
        *_paragraphs(document, words, in_link, free),
        *_headings(document),
        _after_title(document, words, in_link),
        _title_words(document),
        int((nodes.tag == CODES["time"]).sum()),
        int((nodes.tag == CODES["article"]).sum()),
        int((nodes.tag == CODES["img"]).sum()),
        int(_CONTROLS[nodes.tag].sum()),
        _largest_collection(document, anchors),
    )
    return Shape._make(counts)


def _paragraphs(document: Document, words: Longs, in_link: Mask, free: int) -> tuple[float, ...]:
    pieces = document.pieces
    if not len(pieces):
        return (0.0,) * 7
    first = np.flatnonzero(np.diff(pieces.line, prepend=-1))
    length = np.add.reduceat(np.where(in_link, 0, words), first)
    chosen = length >= PARAGRAPH
    lengths = length[chosen]
    total = int(lengths.sum())
    if not total:
        return 0.0, 0.0, float(length.max()), 0.0, 0.0, 0.0, 0.0
    holder = document.nodes.parent[pieces.block[first[chosen]]]
    holder = np.maximum(holder, 0)
    held = np.bincount(holder, lengths)
    most = int(held.argmax())
    return (
        len(lengths),
        int((lengths >= LONG_PARAGRAPH).sum()),
        int(length.max()),
        total / free,
        int((holder == most).sum()),
        float(held[most]) / total,
        float(held[most]),
    )


def _headings(document: Document) -> tuple[float, ...]:
    nodes = document.nodes
    rows = np.flatnonzero(_HEADINGS[nodes.tag])
    linked = int(_linked(document, rows).sum())
    h1 = np.flatnonzero(nodes.tag == CODES["h1"])
    own = document.total(document.sums.words)[h1]
    return len(rows), linked, linked / max(len(rows), 1), len(h1), int(own.max(initial=0))


def _linked(document: Document, rows: Longs) -> Mask:
    """Return which of some elements hold a link, or stand in one."""
    nodes = document.nodes
    is_link = np.zeros(len(nodes), np.bool_)
    is_link[document.hrefs.node] = True
    sums = prefix_sums(is_link)
    inside: Mask = sums[nodes.end[rows]] > sums[rows]
    around = np.zeros(len(nodes) + 1, np.int64)
    np.add.at(around, document.hrefs.node, 1)
    np.add.at(around, nodes.end[document.hrefs.node], -1)
    return inside | (np.cumsum(around)[rows] > 0)


def _after_title(document: Document, words: Longs, in_link: Mask) -> float:
    nodes = document.nodes
    rows = np.flatnonzero(nodes.tag == CODES["h1"])
    free = np.where(in_link, 0, words)
    long = np.where(free >= PARAGRAPH, free, 0)
    total = int(long.sum())
    if not len(rows) or not total:
        return -1.0
    return int(long[nodes.piece_end[rows[0]] :].sum()) / total


def _title_words(document: Document) -> int:
    rows = document.rows("title")
    return int(document.total(document.sums.words)[rows[0]]) if len(rows) else 0


def _largest_collection(document: Document, anchors: Ints) -> int:
    if not len(anchors):
        return 0
    # Not by `document.links`, which also says where each link leads, and that costs more than all of this.
    _, collection, _ = collect(document.nodes, document.hrefs)
    return int(np.bincount(collection, anchors >= HEADLINE).max())
