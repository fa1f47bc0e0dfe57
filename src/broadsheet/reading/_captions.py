"""Captions: what a page calls so, by tag or by name."""

import re
from typing import Final

import numpy as np

from broadsheet.document import Document
from broadsheet.document.columns import Ints

#: Elements with more words than this are not captions, whatever they are called: some pages put a whole story below
#: a picture.
MAX_WORDS: Final = 100

#: "Caption" with a small or a capital letter; a name with "captions" is that of something else, such as a player.
_CAPTION: Final = re.compile(rb"aption(?!s)")


def find_captions(document: Document) -> Ints:
    """Return the elements that are captions by their tag or by a word in their class or id; do not modify them."""
    return document.derive(_find)


def caption_nodes(document: Document) -> frozenset[int]:
    """Return the same elements as a set, for whoever asks about a few elements one by one."""
    return document.derive(_collect)


def beside_pictures(document: Document) -> frozenset[int]:
    """Return those of them that share a small element with a picture: these are hardly bylines that are called so."""
    return document.derive(_beside_pictures)


def _find(document: Document) -> Ints:
    nodes, tokens, words = document.nodes, document.tokens, document.sums.words
    found = [match.start() for match in _CAPTION.finditer(tokens.text)]
    tagged = document.rows("figcaption")
    if not found and not len(tagged):
        return tagged
    named = tokens.node.take(tokens.start.searchsorted(found, "right") - 1) if found else tokens.node[:0]
    rows = np.unique(np.concatenate((tagged, named)))
    if len(rows):
        length = words.take(nodes.piece_end.take(rows)) - words.take(nodes.piece_start.take(rows))
        titles = document.rows("h1")
        # Some pages have `caption-style` on the header with the title, the introduction and the byline.
        is_header = titles.searchsorted(rows) < titles.searchsorted(nodes.end.take(rows))
        rows = rows[(length <= MAX_WORDS) & ~is_header]
    rows.setflags(write=False)
    return rows


def _beside_pictures(document: Document) -> frozenset[int]:
    nodes, words, captions = document.nodes, document.sums.words, find_captions(document)
    if not len(captions):
        return frozenset()
    around = np.maximum(nodes.parent.take(captions), 0)
    length = words.take(nodes.piece_end.take(around)) - words.take(nodes.piece_start.take(around))
    pictures = document.rows("img", "picture")
    has_picture = pictures.searchsorted(around) < pictures.searchsorted(nodes.end.take(around))
    return frozenset(captions[has_picture & (length <= MAX_WORDS)].tolist())


def _collect(document: Document) -> frozenset[int]:
    return frozenset(find_captions(document).tolist())
