"""A page as profiles see it: its lines, each with its place and fingerprint."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading._subtrees import Mask, prefix_sums
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.profiles._line_places import places_of
from broadsheet.reading.text_lines import TextLines, find_text_lines

#: The number of bytes of a line that enter its fingerprint.
MAX_BYTES = 4_096

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """The lines of a page and the place of each."""

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
    """Return the text of a line, truncated beyond the length of any template line."""
    pieces = document.pieces
    start, end = int(pieces.start[lines.first[row]]), int(pieces.end[lines.end[row] - 1])
    return collapse(document.columns.text[start : min(end, start + MAX_BYTES)].decode(errors="ignore"))


def fingerprint(text: str, place: str) -> str | None:
    """Return a hash of a line's place and its words, regardless of case and numbers; None if it has no letter.

    The place is included because a line in different places is not a template: sections repeat the beginnings of their
    articles, and articles quote each other.
    """
    words = _WORD.findall(_NUMBER.sub("0", unicodedata.normalize("NFKC", text).casefold()))
    if not any(character.isalpha() for word in words for character in word):
        return None
    content = f"{place}\n{' '.join(words)}"
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=8).hexdigest()


def are_body(document: Document, lines: TextLines, reading: Reading) -> Mask:
    """Return a mask of the lines of which at least half of the words are labelled as article text."""
    is_text = np.isin(reading.labels, (Label.BODY, Label.HEADING))
    words = np.diff(document.sums.words)
    labelled, total = (_line_sums(lines, values) for values in (np.where(is_text, words, 0), words))
    # A line of punctuation has no words, so its pieces are counted instead.
    has_words = total > 0
    mask: Mask = np.where(has_words, 2 * labelled >= total, 2 * _line_sums(lines, is_text) >= lines.end - lines.first)
    return mask


def _line_sums(lines: TextLines, values: NDArray[np.integer] | Mask) -> NDArray[np.int64]:
    sums = prefix_sums(values)
    total: NDArray[np.int64] = sums[lines.end] - sums[lines.first]
    return total
