"""Locates labelled fields in a page: title, date, authors and headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.corpora._compared_words import words_of
from broadsheet.corpora.labelled_page import Gold
from broadsheet.corpora.measures import overlap
from broadsheet.document import Document

Labels = NDArray[np.int8]

#: A line with more words is running text: a name or a date in it is not a byline.
MAX_WORDS_IN_A_BYLINE = 15

_NUMBERS = re.compile(r"\d+")
#: A heading is the title if the F of their words is at least this.
MIN_SIMILARITY = 0.6

#: Titles are in headings down to this level.
_TITLE_LEVELS = 3
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page: its pieces `[first, end)` and their words."""

    first: int
    end: int
    words: tuple[str, ...]
    text: str


def label_fields(document: Document, gold: Gold, labels: Labels) -> None:
    """Write the labels of the fields over those of the body; a field that is not found gets no label."""
    lines = list(lines_of(document))
    body = np.flatnonzero(labels == Label.BODY)
    start = int(body[0]) if len(body) else None
    title = _title(document, gold.title, lines, start) if gold.title else None
    near = title.first if title else start
    for author in gold.authors or ():
        _mark(labels, _nearest(_lines_naming(lines, author), near), Label.AUTHOR)
    if gold.date:
        _mark(labels, _nearest(_lines_dated(lines, gold.date), near), Label.DATE)
    if len(body):
        for heading in _headings(lines, gold.headings or (), int(body[0]), int(body[-1])):
            _mark(labels, heading, Label.HEADING)
    _mark(labels, title, Label.TITLE)


def lines_of(document: Document) -> Iterator[Line]:
    """Yield the lines of a page in order."""
    numbers = document.pieces.line
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    for first, end in zip(starts, np.append(starts[1:], len(numbers)), strict=False):
        text = document.columns.text[document.pieces.start[first] : document.pieces.end[end - 1]].decode()
        yield Line(int(first), int(end), tuple(words_of(text)), text)


def _mark(labels: Labels, line: Line | None, kind: Label) -> None:
    if line is not None:
        labels[line.first : line.end] = kind


def _title(document: Document, title: str, lines: list[Line], body: int | None) -> Line | None:
    """Choose the line that equals the title: preferably an `h1`, then other headings, then plain lines.

    If none does, choose the most similar heading: pages add the site's name or a kicker to a title, or change a word.
    """
    wanted = tuple(words_of(title))
    in_head = {int(row) for row in document.rows("title")}
    shown = [line for line in lines if int(document.pieces.owner[line.first]) not in in_head]
    equal = [line for line in shown if line.words == wanted]
    if equal:
        return min(equal, key=lambda line: (_heading_level(document, line), _distance(line, body)))
    similarity = {
        line: overlap(line.words, wanted).score.f for line in shown if _heading_level(document, line) < _TITLE_LEVELS
    }
    best = max(similarity, key=lambda line: (similarity[line], -_distance(line, body)), default=None)
    return best if best is not None and similarity[best] >= MIN_SIMILARITY else None


def _distance(line: Line, place: int | None) -> int:
    return abs(line.first - (place or 0))


def _heading_level(document: Document, line: Line) -> int:
    name = document.tag_name(int(document.pieces.block[line.first]))
    return _HEADINGS.index(name) if name in _HEADINGS else len(_HEADINGS)


def _lines_naming(lines: list[Line], author: str) -> list[Line]:
    wanted = tuple(words_of(author))
    return [line for line in lines if len(line.words) <= MAX_WORDS_IN_A_BYLINE and _contains(line.words, wanted)]


def _contains(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    return bool(size) and any(words[first : first + size] == wanted for first in range(len(words) - size + 1))


def _lines_dated(lines: list[Line], day: str) -> list[Line]:
    """Find short lines that show a date in any language: year, day, and the month as a number or a word."""
    try:
        wanted = date.fromisoformat(day)
    except ValueError:
        return []
    return [line for line in lines if len(line.words) <= MAX_WORDS_IN_A_BYLINE and _shows(line, wanted)]


def _shows(line: Line, wanted: date) -> bool:
    numbers = [int(number) for number in _NUMBERS.findall(line.text) if len(number) <= 4]
    if not {wanted.year, wanted.year % 100} & set(numbers) or wanted.day not in numbers:
        return False
    return wanted.month in numbers or any(word.isalpha() for word in line.words)


def _nearest(lines: list[Line], near: int | None) -> Line | None:
    """Choose the line nearest to the title or the start of the body; the first line if neither is known."""
    return min(lines, key=lambda line: _distance(line, near), default=None)


def _headings(lines: list[Line], headings: tuple[str, ...], first: int, last: int) -> Iterator[Line]:
    """Yield the lines within the body that equal a heading, each heading once."""
    wanted = [tuple(words_of(heading)) for heading in headings]
    for line in lines:
        if first <= line.first <= last and line.words in wanted:
            wanted.remove(line.words)
            yield line
