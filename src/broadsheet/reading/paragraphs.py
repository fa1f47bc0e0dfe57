"""Join labelled pieces into paragraphs as a browser shows them, in any script."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import TooManyLines
from broadsheet.base.records import Block, Label
from broadsheet.document import Document, stray_tags
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading._assembly_scans import label_runs, mark_elements, plain_runs
from broadsheet.reading._subtrees import Mask
from broadsheet.reading._xpaths import paths_of

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_HEADING_CODES = bytes(name in HEADINGS for name in NAMES)
_PREFORMATTED = frozenset({CODES["pre"], CODES["listing"], CODES["xmp"], CODES["plaintext"]})
# Invisible hints about line breaks are layout, not text.
_LAYOUT = "\u00ad\u200b\u2060\ufeff"
_WIDE = r"[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]"
# Like browsers, ignore line breaks between two wide characters.
_BREAK_IN_WIDE = re.compile(rf"(?<={_WIDE})[ \t]*[\r\n]\s*(?={_WIDE})")

#: Pages with more lines of text are not read; the longest of 6,037 real pages had 2,650.
MAX_LINES = 20_000

Labels = NDArray[np.int8]

_LABELS = tuple(Label)
#: Uninterrupted text: its line, and its bytes `[start, end)` in the text buffer.
_Stretch: TypeAlias = tuple[int, int, int]


class Paragraph(NamedTuple):
    """A paragraph and its block element."""

    label: Label
    text: str
    block: int


def in_headings(document: Document) -> Mask:
    """Return a mask of the pieces in `h1` to `h6`; do not modify it."""
    return document.derive(_find_headings)


def _find_headings(document: Document) -> Mask:
    nodes = document.nodes
    mask = mark_elements(nodes.tag, _HEADING_CODES, nodes.piece_start, nodes.piece_end, len(document.pieces))
    mask.setflags(write=False)
    return mask


def check_lines(document: Document) -> None:
    """Raise if a page has more lines of text than readers accept."""
    line = document.pieces.line
    # There are no more lines than pieces.
    if len(line) > MAX_LINES and (lines := int(np.count_nonzero(np.diff(line, prepend=-1)))) > MAX_LINES:
        raise TooManyLines(lines, MAX_LINES)


def to_blocks(document: Document, labels: Labels) -> Iterator[Block]:
    """Yield the paragraphs of all pieces that are not garbage, in page order, each with its path."""
    paragraphs = list(_labelled_texts(document, labels))
    paths = paths_of(document, [block for _, _, block in paragraphs])
    for (label, text, _), path in zip(paragraphs, paths, strict=True):
        yield Block(label, text, path)


def to_paragraphs(document: Document, labels: Labels) -> Iterator[Paragraph]:
    """Yield the paragraphs of all pieces that are not garbage, in page order."""
    return map(Paragraph._make, _labelled_texts(document, labels))


def _labelled_texts(document: Document, labels: Labels) -> Iterator[tuple[Label, str, int]]:
    """Yield the fields of paragraphs."""
    text, tags, pieces = document.columns.text, document.nodes.tag, document.pieces
    runs = label_runs(labels, pieces.block, pieces.line, pieces.start, pieces.end)
    for (label, block, stretches), plain in zip(runs, plain_runs(runs, text), strict=True):
        if plain:
            # Nearly all paragraphs are a single slice of the page's text.
            yield _LABELS[label], plain, block
            continue
        is_preformatted = tags.item(block) in _PREFORMATTED
        if len(stretches) > 1 or is_preformatted:
            for paragraph in _texts(text, stretches, is_preformatted):
                yield _LABELS[label], paragraph, block
        else:
            _, start, end = stretches[0]
            if paragraph := collapse(text[start:end].decode()):
                yield _LABELS[label], paragraph, block


def without_tags(text: str) -> str:
    """Return a text that should be plain without the HTML tags that some sites leave in it."""
    return collapse(stray_tags.without_tags(text))


def collapse(text: str) -> str:
    """Return text as a browser shows it: with white space collapsed and layout hints removed."""
    text = text.strip()
    # The space is the only printable white space, and layout hints are not printable; so most text is returned as is.
    if text.isprintable() and "  " not in text:
        return text
    if not text.isascii():
        for hint in _LAYOUT:
            text = text.replace(hint, "")
        # Only the few paragraphs with line breaks in their source need the regular expression.
        if "\n" in text or "\r" in text:
            text = _BREAK_IN_WIDE.sub("", text)
    return " ".join(text.split())


def _texts(text: bytes, stretches: list[_Stretch], is_preformatted: bool) -> Iterator[str]:
    """Yield the paragraphs of a run: one, unless it is preformatted and has blank lines."""
    lines = _lines(text, stretches)
    if is_preformatted:
        lines = _split_preformatted("\n".join(lines))
    for has_text, group in groupby(map(collapse, lines), key=bool):
        if has_text:
            yield "\n".join(group)


def _split_preformatted(text: str) -> list[str]:
    """Split preformatted text at its line breaks."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    # These lines are not in the columns, so `check_lines` did not count them.
    if (breaks := plain.count("\n")) > MAX_LINES:
        raise TooManyLines(breaks, MAX_LINES)
    return plain.split("\n")


def _lines(text: bytes, stretches: list[_Stretch]) -> list[str]:
    """Return the lines of a run, with a space between two stretches only if the page has white space there."""
    lines: list[list[str]] = []
    last_line, last_end = -1, 0
    for line, start, end in stretches:
        if line != last_line:
            lines.append([])
        # Text in between is garbage; all that matters is whether it separates two words.
        elif (gap := text[last_end:start]) and (gap.isspace() or any(map(str.isspace, gap.decode()))):
            lines[-1].append(" ")
        lines[-1].append(text[start:end].decode())
        last_line, last_end = line, end
    return ["".join(parts) for parts in lines]


def shown_text(document: Document, first: int, end: int) -> str:
    """Return the text of pieces `[first, end)` with a space at line ends."""
    pieces, text = document.pieces, document.columns.text
    lines = pieces.line[first:end].tolist()
    if lines and lines[0] == lines[-1]:
        return collapse(text[pieces.start[first] : pieces.end[end - 1]].decode())
    starts, ends = pieces.start[first:end].tolist(), pieces.end[first:end].tolist()
    parts, last = [], None
    for line, start, stop in zip(lines, starts, ends, strict=True):
        parts.append(text[start:stop] if line == last or last is None else b" " + text[start:stop])
        last = line
    return collapse(b"".join(parts).decode())
