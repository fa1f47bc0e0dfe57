"""What surrounds each piece of text: the votes of memory for it and its neighbours, and its place in the page.

These are the features of the classifier that decides on the labels when memory has voted. Memory looks at each element
for itself; here the votes for the whole page are known.
"""

import re

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading._piece_groups import GROUP_COLUMNS, group_columns
from broadsheet.reading._subtrees import differences, line_edges, text_parents
from broadsheet.reading.furniture import furniture
from broadsheet.reading.titles import find_title

Floats = NDArray[np.float32]

#: How many pieces before and after are looked at one by one, and how far around votes are averaged.
NEIGHBOURS = 3
AROUND = (6, 20, 60)
#: How many ancestors are looked at.
ANCESTORS = 5

_WORD = re.compile(r"\w+")
_HEADINGS = [CODES[f"h{level}"] for level in range(1, 7)]
_PARAGRAPH = CODES["p"]

#: The votes per piece, in this order.
VOTES = ("garbage", "title", "heading", "body")

COLUMNS: tuple[str, ...] = (
    *(f"votes for {name}" for name in VOTES),
    "nearest distance",
    *(
        f"{name} {offset:+d}"
        for offset in range(-NEIGHBOURS, NEIGHBOURS + 1)
        if offset
        for name in ("votes for body", "votes for title", "characters")
    ),
    *(f"share of body within {reach}" for reach in AROUND),
    *(f"share of body below ancestor {level}" for level in range(ANCESTORS)),
    *(f"body below ancestor {level}" for level in range(ANCESTORS)),
    *(f"share of links below ancestor {level}" for level in range(ANCESTORS)),
    *(f"text below ancestor {level}" for level in range(ANCESTORS)),
    *(f"length of pieces below ancestor {level}" for level in range(ANCESTORS)),
    *(f"share of links within {reach}" for reach in AROUND),
    *(f"length of pieces within {reach}" for reach in AROUND),
    *(f"punctuation within {reach}" for reach in AROUND),
    "share of body before",
    "share of text before",
    "characters",
    "words",
    "share of upper case",
    "share of digits",
    "share of punctuation",
    "in a link",
    "share of links in line",
    "characters of line",
    "votes for body in line",
    "depth",
    "parent is p",
    "level of heading",
    "is tail",
    "in furniture",
    "in the title found",
    "likeness to the stated title",
    "before the title found",
    *GROUP_COLUMNS,
)  # fmt: skip


def piece_context(document: Document, votes: Floats, distances: Floats) -> Floats:
    """Return one row of features per piece, given the votes of memory and the distance of the nearest instance."""
    sums = document.sums
    characters = differences(sums.characters).astype(np.float32)
    body = prefix_sums_of(votes[:, 3] * characters)
    columns: list[NDArray[np.floating]] = [votes, distances[:, None], *_neighbours(votes, characters)]
    columns += _around(body, sums.characters) + _ancestors(document, body) + _surroundings(document)
    before = np.stack(
        [body[:-1] / max(float(body[-1]), 1.0), sums.characters[:-1] / max(int(sums.characters[-1]), 1)], 1
    )
    columns += [before, _own(document, characters), _lines(document, votes, characters), _place(document)]
    columns.append(group_columns(document, votes))
    return np.ascontiguousarray(np.concatenate(columns, axis=1), np.float32)


def prefix_sums_of(values: Floats) -> NDArray[np.float64]:
    """Return the sums over the first 0, 1, 2, … values."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])


def _neighbours(votes: Floats, characters: Floats) -> list[Floats]:
    table = np.stack([votes[:, 3], votes[:, 1], np.log1p(characters)], axis=1)
    padded = np.pad(table, ((NEIGHBOURS, NEIGHBOURS), (0, 0)), constant_values=-1)
    size = len(table)
    return [padded[start : start + size] for start in range(2 * NEIGHBOURS + 1) if start != NEIGHBOURS]


def _around(body: NDArray[np.float64], characters: Ints) -> list[Floats]:
    size = len(body) - 1
    places = np.arange(size)
    columns = []
    for reach in AROUND:
        low, high = np.maximum(places - reach, 0), np.minimum(places + reach + 1, size)
        columns.append(((body[high] - body[low]) / np.maximum(characters[high] - characters[low], 1))[:, None])
    return columns


def _ancestors(document: Document, body: NDArray[np.float64]) -> list[Floats]:
    nodes, characters = document.nodes, document.sums.characters
    node = text_parents(document)
    shares, amounts = [], []
    for _ in range(ANCESTORS):
        low, high = nodes.piece_start[node], nodes.piece_end[node]
        inside = body[high] - body[low]
        shares.append((inside / np.maximum(characters[high] - characters[low], 1))[:, None])
        amounts.append(np.log1p(inside)[:, None])
        node = np.maximum(nodes.parent[node], 0)
    return shares + amounts


def _surroundings(document: Document) -> list[Floats]:
    """Return how much text and how many links there are below the ancestors and around each piece."""
    nodes, sums = document.nodes, document.sums
    node = text_parents(document)
    links, texts, lengths = [], [], []
    for _ in range(ANCESTORS):
        low, high = nodes.piece_start[node], nodes.piece_end[node]
        size = np.maximum(sums.characters[high] - sums.characters[low], 1)
        linked = sums.link_characters[high] - sums.link_characters[low]
        links.append((linked / size)[:, None])
        texts.append(np.log1p(size - linked)[:, None])
        lengths.append((size / np.maximum(high - low, 1))[:, None])
        node = np.maximum(nodes.parent[node], 0)
    places = np.arange(len(document.pieces))
    near_links, near_lengths, near_marks = [], [], []
    for reach in AROUND:
        low, high = np.maximum(places - reach, 0), np.minimum(places + reach + 1, len(places))
        size = np.maximum(sums.characters[high] - sums.characters[low], 1)
        near_links.append(((sums.link_characters[high] - sums.link_characters[low]) / size)[:, None])
        near_lengths.append((size / (high - low))[:, None])
        near_marks.append(((sums.punctuation[high] - sums.punctuation[low]) / size)[:, None])
    return links + texts + lengths + near_links + near_lengths + near_marks


def _own(document: Document, characters: Floats) -> Floats:
    sums = document.sums
    size = np.maximum(characters, 1)
    shares = [differences(column) / size for column in (sums.upper, sums.digits, sums.punctuation)]
    in_link = document.pieces.link >= 0
    return np.stack([np.log1p(characters), np.log1p(differences(sums.words)), *shares, in_link], axis=1)


def _lines(document: Document, votes: Floats, characters: Floats) -> Floats:
    edges = line_edges(document.pieces.line)
    length = differences(document.sums.characters.take(edges))
    links = differences(document.sums.link_characters.take(edges))
    body = np.diff(prefix_sums_of(votes[:, 3] * characters)[edges])
    table = np.stack([links / np.maximum(length, 1), np.log1p(length), body / np.maximum(length, 1)], axis=1)
    return np.repeat(table, differences(edges), axis=0)


def _place(document: Document) -> Floats:
    nodes, pieces = document.nodes, document.pieces
    parents = text_parents(document)
    level = np.zeros(len(pieces))
    for number, code in enumerate(_HEADINGS, start=1):
        level[nodes.tag[pieces.block] == code] = number
    title = find_title(document)
    found = np.zeros(len(pieces))
    if title is not None and title.node is not None:
        found[nodes.piece_start[title.node] : nodes.piece_end[title.node]] = 1
    after = np.cumsum(found) > 0
    columns = [
        nodes.depth[pieces.owner],
        nodes.tag[parents] == _PARAGRAPH,
        level,
        pieces.slot,
        furniture(document)[parents],
        found,
        _likeness(document, title.text if title else document.title or ""),
        ~after,
    ]
    return np.stack(columns, axis=1)


def _likeness(document: Document, title: str) -> Floats:
    """Return for each piece the F of the words of its line and of the title."""
    wanted = set(_WORD.findall(title.casefold()))
    edges = line_edges(document.pieces.line)
    likeness = np.zeros(max(len(edges) - 1, 0), np.float32)
    if wanted:
        text, pieces = document.columns.text, document.pieces
        starts, ends = pieces.start[edges[:-1]].tolist(), pieces.end[edges[1:] - 1].tolist()
        for line, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if end - start <= 4 * len(title) + 200:
                words = set(_WORD.findall(text[start:end].decode().casefold()))
                likeness[line] = 2 * len(words & wanted) / (len(words) + len(wanted))
    return np.repeat(likeness, differences(edges))
