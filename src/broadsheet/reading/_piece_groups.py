"""What pieces of text have in common: those in like elements, those in elements of one kind, and those of one run.

Pieces in like elements mostly have the same label: the paragraphs of an article are marked up alike, and so are its
comments. Elements are alike whose ancestors have the same tags, or whose nearest ancestors have the same tags and
classes.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Tokens
from broadsheet.reading._subtrees import differences, line_edges, subtree_pieces, tag_mask, text_parents
from broadsheet.reading.maximal import best_subsequence

Floats = NDArray[np.float32]
Keys = NDArray[np.uint64]

#: How many elements of a path are compared by their classes.
NAMED_LEVELS = 3
#: Kinds of elements in which text may stand.
KINDS = ("article", "main", "li", "table", "figure", "blockquote", "pre", "aside", "header", "form", "dl", "section")
#: Words in classes and ids that say what an element holds.
NAMED = {
    "comments": rb"comments?|commentlist|disqus\w*|respond|replies|reply|discussion|threads?|livefyre\w*|responses?",
    "text": rb"articles?|story|stories|entry|post|posts|content|body|text|main",
    "others": rb"related\w*|more|popular|trending|recommend\w*|sidebar\w*|promos?|recent|latest|teasers?|widgets?",
}

GROUP_COLUMNS: tuple[str, ...] = (
    *(f"{what} in elements with like {path}" for path in ("tags", "classes")
      for what in ("votes for body", "votes for title", "text", "pieces", "length of pieces", "share of links")),
    "in the run of votes", "pieces to the run of votes", "share of body in the run",
    *(f"in {kind}" for kind in KINDS),
    *(f"{what} named {name}" for name in NAMED for what in ("inside an element", "share of text in an element")),
    "pieces of the page", "text of the page", "votes for body on the page",
)  # fmt: skip

_PRIME, _OTHER_PRIME = np.uint64(0x100000001B3), np.uint64(0x9E3779B97F4A7C15)
_NAMES = {name: re.compile(rb"(?:^|[-_])(?:" + words + rb")(?:$|[-_0-9])") for name, words in NAMED.items()}
_HUMP = re.compile(rb"(?<=[a-z])(?=[A-Z])")
_CLASS = Tokens.KINDS.index("class")
_IS_NAME = np.isin(Tokens.KINDS, ("class", "id", "itemprop"))
_OUTER = tag_mask(frozenset({"html", "body"}))


def group_columns(document: Document, votes: Floats) -> Floats:
    """Return one row per piece, with the columns above."""
    columns = [
        *_alike(document, votes, _tag_paths(document)),
        *_alike(document, votes, _class_paths(document)),
        *_run(document, votes),
        *(subtree_pieces(document, document.rows(kind)) for kind in KINDS),
        *(column for name in NAMED for column in _inside(document, name)),
        *_page(document, votes),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _alike(document: Document, votes: Floats, keys: Keys) -> list[NDArray[np.float64]]:
    """Return the votes for, and the text of, all pieces whose parents have the same key."""
    sums = document.sums
    _, group = np.unique(keys[text_parents(document)], return_inverse=True)
    pieces = np.bincount(group)
    characters = differences(sums.characters)
    text = np.bincount(group, characters)
    links = np.bincount(group, differences(sums.link_characters))
    size = np.maximum(text, 1)
    body, title = (np.bincount(group, votes[:, label] * characters) / size for label in (3, 1))
    table = (body, title, np.log1p(text), np.log1p(pieces), text / pieces, links / size)
    return [column[group] for column in table]


def _tag_paths(document: Document) -> Keys:
    """Return a key per node for the tags of the node and all its ancestors."""
    keys = document.nodes.tag.astype(np.uint64) + np.uint64(1)
    for rows, parents in _levels(document):
        keys[rows] += keys[parents] * _PRIME
    return keys


def _levels(document: Document) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int32]]]:
    """Yield the nodes of each depth below the root, and their parents, from the outermost to the innermost."""
    depth = document.nodes.depth
    order = np.argsort(depth, kind="stable")
    edges = np.flatnonzero(np.diff(depth[order], prepend=-1, append=-1))
    for start, end in pairwise(edges[1:].tolist()):
        rows = order[start:end]
        yield rows, document.nodes.parent[rows]


def _class_paths(document: Document) -> Keys:
    """Return a key per node for the tags and first classes of the node and its nearest ancestors."""
    nodes, tokens = document.nodes, document.tokens
    own = nodes.tag.astype(np.uint64) + np.uint64(1)
    rows = np.flatnonzero(tokens.kind == _CLASS)[::-1]
    text = tokens.text
    bounds = zip(tokens.start[rows].tolist(), tokens.end[rows].tolist(), strict=True)
    codes = np.array([_class_code(text[start:end]) for start, end in bounds], np.uint64)
    # Backwards, so that the first class of a node stays.
    first = np.zeros(len(nodes), np.uint64)
    first[tokens.node[rows]] = codes
    own += first * _OTHER_PRIME
    keys, node = own.copy(), np.arange(len(nodes))
    for _ in range(NAMED_LEVELS - 1):
        node = np.maximum(nodes.parent[node], 0)
        keys = keys * _PRIME + own[node]
    return keys


# Cached because the elements of a page share their classes.
@lru_cache(maxsize=65_536)
def _class_code(token: bytes) -> int:
    """Return a number for a class, whatever digits it ends with."""
    return crc32(token.rstrip(b"0123456789"))


def _run(document: Document, votes: Floats) -> list[NDArray[np.float64]]:
    """Return which pieces are in the run of lines that memory holds for the body, and how far the others are."""
    edges = line_edges(document.pieces.line)
    characters = differences(document.sums.characters)
    values = np.add.reduceat((votes[:, 3] - 0.5) * characters, edges[:-1])
    best = best_subsequence(values.tolist())
    size = len(document.pieces)
    if best is None:
        return [np.zeros(size), np.full(size, float(size)), np.zeros(size)]
    start, end = int(edges[best.start]), int(edges[best.end])
    places = np.arange(size)
    outside = np.maximum(start - places, 0) - np.maximum(places - end + 1, 0)
    body = votes[:, 3] * characters
    share = float(body[start:end].sum() / max(float(characters[start:end].sum()), 1.0))
    return [(outside == 0).astype(np.float64), outside.astype(np.float64), np.full(size, share)]


def _inside(document: Document, name: str) -> list[NDArray[np.float64]]:
    """Return in how many elements named so each piece is, and the share of the page's text in the innermost."""
    nodes, tokens, sums = document.nodes, document.tokens, document.sums
    rows = np.flatnonzero(_IS_NAME.take(tokens.kind) & ~_OUTER.take(nodes.tag[tokens.node]))
    text = tokens.text
    columns = (column.take(rows).tolist() for column in (tokens.node, tokens.start, tokens.end))
    named = [node for node, start, end in zip(*columns, strict=True) if _says(text[start:end], name)]
    inside = np.bincount(np.array(named, np.int64), minlength=len(nodes)).astype(np.float64)
    characters = sums.characters[nodes.piece_end] - sums.characters[nodes.piece_start]
    share = np.where(inside > 0, characters / max(int(sums.characters[-1]), 1), 0.0)
    for level, parents in _levels(document):
        share[level] = np.where(inside[level] > 0, share[level], share[parents])
        inside[level] += inside[parents]
    around = text_parents(document)
    return [inside[around], share[around]]


@lru_cache(maxsize=65_536)
def _says(token: bytes, name: str) -> bool:
    return _NAMES[name].search(_HUMP.sub(b"-", token).lower()) is not None


def _page(document: Document, votes: Floats) -> list[NDArray[np.float64]]:
    characters = differences(document.sums.characters)
    body = float((votes[:, 3] * characters).sum()) / max(int(characters.sum()), 1)
    size = len(document.pieces)
    return [np.full(size, value) for value in (np.log1p(size), np.log1p(characters.sum()), body)]
