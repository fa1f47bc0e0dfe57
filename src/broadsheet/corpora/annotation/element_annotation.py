"""Element-based annotation (`.hra`): every text and every tail of a page's elements, each with the letter of a label.

    Female militants
    #287 <b> text h

    It was a grim reminder of the considerable dangers.
    #288 <p> text b

An entry is the text, with white space collapsed, and below it the number of the element in document order (comments
are elements too, the first is 0), its tag, whether it is the element's text or its tail, and the letter. A blank line
ends an entry. People can read and change such a file with any editor.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.label_set import LabelSet
from broadsheet.document import Document

SUFFIX = ".hra"
#: Larger files are refused; those of real pages have less than a hundredth of it.
MAX_BYTES = 64_000_000

_REFERENCE = re.compile(r"#(\d{1,9}) <([^<>]{1,200})> (text|tail) (\S)")
_SLOTS = ("text", "tail")


@dataclass(frozen=True, slots=True)
class HraEntry:
    """One text or tail of a page, and its letter."""

    text: str
    node: int
    tag: str
    slot: str
    letter: str
    #: The number of the line in the file that holds the letter.
    line: int = 0

    def __str__(self) -> str:
        """Return the place in the page, as the file has it."""
        return f"#{self.node} <{self.tag}> {self.slot}"


def entries_of(document: Document, letters: str) -> Iterator[HraEntry]:
    """Yield an entry for every piece of text of a page, given one letter per piece."""
    pieces = document.pieces
    for piece, (node, slot) in enumerate(zip(pieces.owner.tolist(), pieces.slot.tolist(), strict=True)):
        tag = document.tag_name(node).translate({ord("<"): "_", ord(">"): "_"})
        yield HraEntry(_on_one_line(document.piece_text(piece)), node, tag[:200], _SLOTS[slot], letters[piece])


def format_hra(document: Document, letters: str) -> str:
    """Return the content of an annotation file."""
    return "".join(f"{entry.text}\n{entry} {entry.letter}\n\n" for entry in entries_of(document, letters))


def parse_hra(content: str) -> list[HraEntry]:
    """Return the entries of an annotation file; raise with the number of the line if it is damaged.

    The first line of an entry is text, whatever it looks like.
    """
    entries: list[HraEntry] = []
    text: list[str] = []
    for number, line in enumerate(content.split("\n"), 1):
        if found := _REFERENCE.fullmatch(line.rstrip("\r")) if text else None:
            node, tag, slot, letter = found.groups()
            entries.append(HraEntry(_on_one_line(" ".join(text)), int(node), tag, slot, letter, number))
            text = []
        elif line.strip():
            text.append(line)
    if text:
        raise InputError(
            f"the file ends within an entry: {_short(text[0])!r} has no line such as '#12 <p> text b' below it"
        )
    if not entries:
        raise InputError("the file has no entry")
    return entries


def fit_hra(entries: list[HraEntry], document: Document, labels: LabelSet) -> str:
    """Return one letter per piece of the page; raise if an entry does not fit the page or a piece has no entry."""
    unknown = next((entry for entry in entries if entry.letter not in labels), None)
    if unknown:
        letters = ", ".join(labels.names)
        raise InputError(f"line {unknown.line}: the label {unknown.letter!r} is not one of {letters}")
    found: dict[tuple[int, str], HraEntry] = {}
    for entry in entries:
        if found.setdefault((entry.node, entry.slot), entry) is not entry:
            raise InputError(f"line {entry.line}: {entry} has a second label")
    chosen: list[str] = []
    missing: list[HraEntry] = []
    for piece in entries_of(document, labels.rest * len(document.pieces)):
        own = found.pop((piece.node, piece.slot), None)
        if own is None:
            missing.append(piece)
        elif own.tag != piece.tag:
            raise InputError(f"line {own.line}: element {own.node} of the page is <{piece.tag}>, not <{own.tag}>")
        elif own.text != piece.text:
            raise InputError(
                f"line {own.line}: {piece} of the page is {_short(piece.text)!r}, not {_short(own.text)!r}"
            )
        else:
            chosen.append(own.letter)
    if found:
        other = min(found.values(), key=lambda each: each.line)
        raise InputError(f"line {other.line}: the page has no {other}")
    if missing:
        raise InputError(
            f"{len(missing):,} of the {len(document.pieces):,} texts of the page have no label, the first is"
            f" {missing[0]}, {_short(missing[0].text)!r}"
        )
    return "".join(chosen)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
