"""One page as a profile sees it: its lines, each with its place and a fingerprint."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.profiles.line_places import places_of
from broadsheet.reading.subtrees import Mask, prefix_sums
from broadsheet.reading.text_lines import TextLines, find_text_lines

#: Bytes of a line that its fingerprint is made of.
MAX_BYTES = 4_096

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A page's lines and their places, a row each."""

    lines: TextLines
    places: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.lines)


def observe(document: Document) -> Observation:
    """Return the lines of a page with their places."""
    lines = find_text_lines(document)
    return Observation(lines, tuple(places_of(document, lines.block)))


def text_of(document: Document, lines: TextLines, row: int) -> str:
    """Return the text of a line, cut where it is longer than any line of a template."""
    pieces = document.pieces
    start, end = int(pieces.start[lines.first[row]]), int(pieces.end[lines.end[row] - 1])
    return collapse(document.columns.text[start : min(end, start + MAX_BYTES)].decode(errors="ignore"))


def fingerprint(text: str, place: str) -> str | None:
    """Return a hash of a line's words, whatever their case and its numbers, and of its place; None without a letter.

    What stands in one place on one page and in another on the next is no template: a section repeats how its articles
    begin, and an article quotes another.
    """
    words = _WORD.findall(_NUMBER.sub("0", unicodedata.normalize("NFKC", text).casefold()))
    if not any(character.isalpha() for word in words for character in word):
        return None
    said = f"{place}\n{' '.join(words)}"
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=8).hexdigest()


def are_body(document: Document, lines: TextLines, reading: Reading) -> Mask:
    """Return for each line whether at least half of its words are labelled as text of the article."""
    is_text = np.isin(reading.labels, (Label.BODY, Label.HEADING))
    words = np.diff(document.sums.words)
    taken, every = (_line_sums(lines, values) for values in (np.where(is_text, words, 0), words))
    # A line of signs alone has no words, and goes by its pieces.
    has_words = every > 0
    mask: Mask = np.where(has_words, 2 * taken >= every, 2 * _line_sums(lines, is_text) >= lines.end - lines.first)
    return mask


def _line_sums(lines: TextLines, values: NDArray[np.integer] | Mask) -> NDArray[np.int64]:
    sums = prefix_sums(values)
    total: NDArray[np.int64] = sums[lines.end] - sums[lines.first]
    return total
