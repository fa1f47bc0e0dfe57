"""Labelled pieces to paragraphs: lines joined as a browser shows them, in any script."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Block, Label
from broadsheet.document import Document
from broadsheet.document.tags import CODES
from broadsheet.reading.shape import Mask, rows_of, subtree_pieces, tag_mask

_HEADINGS = tag_mask(frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}))
_PREFORMATTED = frozenset({CODES["pre"], CODES["listing"], CODES["xmp"], CODES["plaintext"]})
# What hints at where a line may be broken, or nothing, belongs to the layout and not to the text.
_LAYOUT = "\u00ad\u200b\u2060\ufeff"
_WIDE = r"[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]"
# As browsers have it: a line that is broken between two wide characters is broken for the author's editor.
_BREAK_IN_WIDE = re.compile(rf"(?<={_WIDE})[ \t]*[\r\n]\s*(?={_WIDE})")

#: A path through more elements would be longer than any text; such a block has the path of an ancestor.
MAX_PATH_DEPTH = 250

Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class _Run:
    """Pieces of one label that belong to one paragraph."""

    label: Label
    block: int
    #: Of each its line, and its bytes in the text buffer.
    pieces: list[tuple[int, int, int]]


def in_headings(document: Document) -> Mask:
    """Return which pieces stand in `h1` to `h6`."""
    return subtree_pieces(document, rows_of(document, _HEADINGS))


def to_blocks(document: Document, labels: Labels) -> Iterator[Block]:
    """Give the paragraphs of all pieces that are no garbage, in the order of the page."""
    deep: dict[int, str] = {}
    for run in _runs(document, labels):
        if document.nodes.depth[run.block] <= MAX_PATH_DEPTH:
            path = document.path(run.block)
        else:
            parent = int(document.nodes.parent[run.block])
            path = deep.get(parent) or deep.setdefault(parent, document.path(_shallow(document, parent)))
        for paragraph in _paragraphs(document, run):
            yield Block(run.label, paragraph, path)


def collapse(text: str) -> str:
    """Return text as a browser shows it: white space of every kind is one space, and layout hints are gone."""
    if not text.isascii():
        for hint in _LAYOUT:
            text = text.replace(hint, "")
        # Few paragraphs are broken where they are written, and only those need a closer look.
        if "\n" in text or "\r" in text:
            text = _BREAK_IN_WIDE.sub("", text)
    return " ".join(text.split())


def _shallow(document: Document, node: int) -> int:
    """Return the closest of a node and its ancestors that does not lie too deep for a path."""
    while document.nodes.depth[node] > MAX_PATH_DEPTH:
        node = int(document.nodes.parent[node])
    return node


def _runs(document: Document, labels: Labels) -> Iterator[_Run]:
    """Group pieces of one label on one line, and lines that only a single break divides."""
    pieces = document.pieces
    rows = np.flatnonzero(labels)
    columns = (labels, pieces.block, pieces.line, pieces.start, pieces.end)
    run: _Run | None = None
    last_line = 0
    for label, block, line, start, end in zip(*(column.take(rows).tolist() for column in columns), strict=True):
        # A block's beginning and end are a line each, so a difference of one within a block is one `br`.
        if run and run.label == label and run.block == block and line - last_line <= 1:
            run.pieces.append((line, start, end))
        else:
            if run:
                yield run
            run = _Run(Label(label), block, [(line, start, end)])
        last_line = line
    if run:
        yield run


def _paragraphs(document: Document, run: _Run) -> Iterator[str]:
    """Give the paragraphs of a run: one, unless it is preformatted and has blank lines."""
    lines = _lines(document, run)
    if int(document.nodes.tag[run.block]) in _PREFORMATTED:
        lines = "\n".join(lines).splitlines()
    for has_text, group in groupby(map(collapse, lines), key=bool):
        if has_text:
            yield "\n".join(group)


def _lines(document: Document, run: _Run) -> list[str]:
    """Write the lines of a run, with white space between two pieces only where the page has it."""
    text = document.columns.text
    lines: list[str] = []
    last_line, last_end = -1, 0
    for line, start, end in run.pieces:
        written = text[start:end].decode()
        if line != last_line:
            lines.append(written)
        else:
            gap = text[last_end:start].decode()
            # What stands between, if anything, is garbage; only that it kept two words apart is of interest.
            lines[-1] += (" " if any(map(str.isspace, gap)) else "") + written
        last_line, last_end = line, end
    return lines
