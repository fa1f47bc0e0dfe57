"""Character-based annotation (`.chars`): where each labelled text begins and ends in the source of a page.

    title: 2151 2183
    body1: 2512 2782
    heading1: 3307 3323

Positions count the characters of the decoded page from 0; the second is that after the last character. Labels that
occur more than once are numbered in page order.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import groupby

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.label_set import LabelSet
from broadsheet.document import Document
from broadsheet.document.tags import UNREAD

SUFFIX = ".chars"
#: A piece has the label that more than this share of its characters has.
MIN_SHARE = 0.5
#: A longer attribute is taken for one whose quotation mark is never closed.
MAX_ATTRIBUTE = 100_000

_LINE = re.compile(r"([A-Za-z_]{1,100})(\d{0,9}):[ \t]{1,9}(\d{1,12})[ \t]{1,9}(\d{1,12})")
_CHARACTERS = re.compile(r"&#?[0-9A-Za-z]{1,40};?|[^&]|&")
_NAME = re.compile(r"[a-zA-Z][^\s/>]{0,50}")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `[start, end)` of a page's source, and the letter of their label."""

    letter: str
    start: int
    end: int


def spans_of(document: Document, source: str, letters: str, labels: LabelSet) -> list[Span]:
    """Return where the labelled pieces of a page stand in its source; neighbours with one label are one span.

    Raises if a labelled piece cannot be found there.
    """
    spans: list[Span] = []
    places = locate(document, source)
    lines = document.pieces.line.tolist()
    for (letter, _), run in groupby(range(len(letters)), key=lambda piece: (letters[piece], lines[piece])):
        pieces = list(run)
        if letter == labels.rest:
            continue
        found = [place for piece in pieces if (place := places[piece])]
        if len(found) < len(pieces):
            lost = next(piece for piece in pieces if not places[piece])
            raise InputError(f"cannot find {document.piece_text(lost)[:40]!r} in the source of the page")
        spans.append(Span(letter, found[0][0], found[-1][1]))
    return spans


def letters_of(spans: list[Span], document: Document, source: str, labels: LabelSet) -> str:
    """Return one letter per piece of the page; raise if a span ends beyond it or covers no text."""
    places = locate(document, source)
    letters = [labels.rest] * len(places)
    for span in spans:
        if span.end > len(source):
            raise InputError(f"{span.start} {span.end}: the page ends at {len(source)}")
        covered = [
            piece
            for piece, place in enumerate(places)
            if place and min(span.end, place[1]) - max(span.start, place[0]) > MIN_SHARE * (place[1] - place[0])
        ]
        if not covered:
            raise InputError(f"{span.start} {span.end}: there is no text of the page in these characters")
        for piece in covered:
            letters[piece] = span.letter
    return "".join(letters)


def format_spans(spans: list[Span], labels: LabelSet) -> str:
    """Return the content of an annotation file."""
    often, seen = Counter(span.letter for span in spans), Counter[str]()
    lines = []
    for span in spans:
        seen[span.letter] += 1
        number = seen[span.letter] if often[span.letter] > 1 else ""
        lines.append(f"{labels.names[span.letter]}{number}: {span.start} {span.end}\n")
    return "".join(lines)


def parse_spans(content: str, labels: LabelSet) -> list[Span]:
    """Return the spans of an annotation file; raise with the number of the line if it is damaged."""
    spans = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        if not (found := _LINE.fullmatch(line.strip())):
            raise InputError(f"line {number}: not a label with two positions such as 'body1: 2512 2782'")
        name, start, end = found[1], int(found[3]), int(found[4])
        letter = labels.letter_of(name)
        if letter is None:
            raise InputError(f"line {number}: the label {name!r} is not one of {', '.join(labels.names.values())}")
        if start >= end:
            raise InputError(f"line {number}: the text ends at {end}, before it begins at {start}")
        spans.append(Span(letter, start, end))
    return spans


def locate(document: Document, source: str) -> list[tuple[int, int] | None]:
    """Return for each piece of a page the characters `[start, end)` of its source, or None if it is not found.

    Pieces are looked up in order in the text between the tags, without white space: the parser drops tags that are
    out of place, which joins the texts around them.
    """
    shown, offsets = [], []
    for start, end in _texts(source):
        for character in _CHARACTERS.finditer(source, start, end):
            for letter in unescape(character[0]):
                if not letter.isspace():
                    shown.append(letter)
                    offsets.append(character.span())
    text, at = "".join(shown), 0
    places: list[tuple[int, int] | None] = []
    for piece in range(len(document.pieces)):
        wanted = "".join(document.piece_text(piece).split())
        found = text.find(wanted, at)
        if found < 0:
            places.append(None)
            continue
        at = found + len(wanted)
        places.append((offsets[found][0], offsets[at - 1][1]))
    return places


def _texts(source: str) -> Iterator[tuple[int, int]]:
    """Yield the text between tags, comments, scripts and styles, as `[start, end)` in the source."""
    lower, at = source.lower(), 0
    while at < len(source):
        opening = source.find("<", at)
        if opening < 0:
            opening = len(source)
        if opening > at:
            yield at, opening
        at = _markup_end(source, lower, opening)
        if at == opening < len(source):
            # A `<` that begins no tag is text.
            yield at, at + 1
            at += 1


def _markup_end(source: str, lower: str, opening: int) -> int:
    """Return the end of the tag, comment or unread element that begins here, or the same place if none does."""
    if source.startswith("<!--", opening):
        return _after(source, "-->", opening)
    following = source[opening + 1 : opening + 2]
    if following in {"!", "?"}:
        return _after(source, ">", opening)
    name = _NAME.match(source, opening + (2 if following == "/" else 1))
    if not name:
        return _after(source, ">", opening) if following == "/" else opening
    end = _tag_end(source, name.end())
    if following != "/" and name[0].lower() in UNREAD:
        closing = lower.find(f"</{name[0].lower()}", end)
        return len(source) if closing < 0 else closing
    return end


def _tag_end(source: str, at: int) -> int:
    """Return the end of a tag whose name ends here; a `>` in a quoted attribute does not end it.

    A quotation mark that is not closed does not count.
    """
    while at < len(source) and source[at] != ">":
        opens = source[at] in "\"'" and source[at - 1] == "="
        closing = source.find(source[at], at + 1, at + MAX_ATTRIBUTE) if opens else -1
        at = max(at, closing) + 1
    return at + 1


def _after(source: str, mark: str, at: int) -> int:
    found = source.find(mark, at)
    return len(source) if found < 0 else found + len(mark)
