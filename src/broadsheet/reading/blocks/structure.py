"""What the elements around lines hold, and what repeats on the page."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading.blocks.elements import Elements, Longs
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.table import Column

#: Tags in an order that trees can cut: from what holds running text to what never does.
_RANKED = (
    "p blockquote pre dd td th li dt div section article main center body span font h1 h2 h3 h4 h5 h6 figcaption "
    "figure caption header address footer aside nav form label button fieldset legend option select summary details"
).split()
_RANK = np.full(len(NAMES), len(_RANKED), np.int32)
_RANK[[CODES[name] for name in _RANKED]] = range(len(_RANKED))

#: Beyond these, lengths, lines and children are counted as many.
_LONGEST, _MOST = 4000.0, 200.0


def level_columns(document: Document, lines: Lines, elements: Elements, levels: list[Longs]) -> dict[str, Column]:
    """Return what the elements around each line hold."""
    tag = document.nodes.tag
    own = np.arange(len(lines))
    every = max(float(lines.length.sum()), 1.0)
    children = np.bincount(elements.parent, minlength=len(tag))
    columns = (lines.length, lines.link_characters, lines.characters, lines.running, lines.running > 0)
    sums = np.zeros((len(columns), len(lines) + 1))
    np.cumsum(np.stack(columns), axis=1, out=sums[:, 1:])
    found: dict[str, Column] = {}
    for level, rows in enumerate(levels):
        first, end = elements.first[rows], elements.end[rows]
        length, links, characters, running, runs = sums[:, end] - sums[:, first]
        count = np.maximum(end - first, 1)
        found[f"tag {level}"] = _RANK[tag[rows]]
        found[f"lines {level}"] = np.minimum(count, _MOST)
        found[f"length {level}"] = np.minimum(length, _LONGEST)
        found[f"share {level}"] = length / every
        found[f"links {level}"] = links / np.maximum(characters, 1)
        found[f"running {level}"] = running / np.maximum(length, 1)
        found[f"running lines {level}"] = np.minimum(runs, _MOST)
        found[f"length a line {level}"] = length / count
        found[f"relative place {level}"] = (own - first) / count
        found[f"children {level}"] = np.minimum(children[rows], _MOST)
    found["depth"] = document.nodes.depth[lines.block]
    found["first tag"] = tag[document.pieces.owner[lines.first]]
    return found


def kinds_of_lines(document: Document, lines: Lines, names: NDArray[np.int64]) -> dict[str, Longs]:
    """Return numbers that lines share whose elements are called alike, lie on one path, or both."""
    tag, parent = document.nodes.tag.astype(np.int64), np.maximum(document.nodes.parent, 0)
    row = lines.block
    alike = tag[row] + (names[row] << 8)
    path = tag[row]
    for _ in range(4):
        row = parent[row]
        path = path * 211 + tag[row]
    inner = tag[document.pieces.owner[lines.first]]
    signatures = {"alike": alike, "on path": path, "alike on path": path * 1_000_003 + alike * 7 + inner}
    return {name: np.unique(each, return_inverse=True)[1] for name, each in signatures.items()}


def repeat_columns(lines: Lines, kinds: dict[str, Longs]) -> dict[str, Column]:
    """Return how often lines of one kind are on the page, and what text they hold."""
    found: dict[str, Column] = {}
    every = max(float(lines.running.sum()), 1.0)
    for name, which in kinds.items():
        count = np.bincount(which)
        length, running, links, characters = (
            np.bincount(which, column)
            for column in (lines.length, lines.running, lines.link_characters, lines.characters)
        )
        found[f"{name}: lines"] = np.minimum(count, _MOST)[which]
        found[f"{name}: length"] = np.minimum(length, _LONGEST)[which]
        found[f"{name}: length a line"] = (length / count)[which]
        found[f"{name}: running"] = (running / every)[which]
        found[f"{name}: links"] = (links / characters)[which]
    return found
