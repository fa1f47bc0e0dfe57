"""Font sizes and colours of text, from the page's style sheets or, much faster, from its tags alone."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints

#: Browsers' default font sizes, in tenths of a px.
TEXT_SIZE = 160
TAG_SIZES = {
    "h1": 320, "h2": 240, "h3": 187, "h4": 160, "h5": 133, "h6": 107,
    "small": 133, "big": 192, "sub": 133, "sup": 133, "pre": 130, "code": 130, "tt": 130, "kbd": 130, "samp": 130,
}  # fmt: skip
FONT_SIZES = (100, 130, 160, 180, 240, 320, 480)
_TAGS = (*TAG_SIZES, "font")
_MIDDLE_FONT = 3
_FONT_SIZE = re.compile(r"\s*([+-]?)(\d{1,3})")


class Looks(NamedTuple):
    """Font size and colour of every piece, as numbers to compare for equality."""

    size: Ints
    colour: NDArray[np.int64]


def looks_by_sheets(document: Document) -> Looks:
    """Take the looks from the page's own style sheets; linked ones are not available."""
    styles = document.styles
    return Looks(np.rint(styles.size * 10).astype(np.int32), styles.colour.astype(np.int64))


def looks_by_tags(document: Document) -> Looks:
    """Take the looks from tags such as headings, `small` and `font`; inner tags override outer ones."""
    nodes = document.nodes
    size = np.full(len(document.pieces), TEXT_SIZE, np.int32)
    colour = np.zeros(len(document.pieces), np.int64)
    colours: dict[str, int] = {}
    starts, ends = nodes.piece_start, nodes.piece_end
    for row in document.rows(*_TAGS).tolist():
        inside = slice(starts[row], ends[row])
        tag = document.tag_name(row)
        if tag != "font":
            size[inside] = TAG_SIZES[tag]
            continue
        if (tenths := _font_size(document.attribute(row, "size"))) is not None:
            size[inside] = tenths
        if name := (document.attribute(row, "color") or "").strip().lower():
            colour[inside] = colours.setdefault(name, len(colours) + 1)
    return Looks(size, colour)


def _font_size(attribute: str | None) -> int | None:
    match = _FONT_SIZE.match(attribute or "")
    if match is None:
        return None
    number = int(match[2])
    step = _MIDDLE_FONT + (number if match[1] == "+" else -number) if match[1] else number
    return FONT_SIZES[min(max(step, 1), len(FONT_SIZES)) - 1]
