"""The lines of a page: runs of text pieces without a line break, which the trained reader labels as one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.reading.text_lines import line_slices

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]

#: The minimum length of a line of running text.
LONG = 80
#: The maximum share of links in the characters of a line of running text.
MOST_LINKS = 0.34
#: The additional length of a character of a script without spaces.
DENSE = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """One row per line with text, in document order."""

    #: The line's pieces `[first, end)`.
    first: Longs
    end: Longs
    #: The nearest block element around it.
    block: Ints
    characters: Floats
    words: Floats
    link_characters: Floats
    #: Characters, with those of scripts without spaces weighted by their information.
    length: Floats
    #: The length of the line if it is running text, else 0.
    running: Floats

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.first)

    @property
    def links(self) -> Floats:
        """The share of each line's characters inside links; no line is empty."""
        share: Floats = np.divide(self.link_characters, self.characters)
        return share


def find_lines(document: Document) -> Lines:
    """Return the lines of a page outside its head."""
    sums = document.sums
    first, end = line_slices(document)
    characters = (sums.characters[end] - sums.characters[first]).astype(np.float32)
    words = (sums.words[end] - sums.words[first]).astype(np.float32)
    link_characters = (sums.link_characters[end] - sums.link_characters[first]).astype(np.float32)
    # Alphabetic scripts have hardly more than one word per four letters.
    dense = np.maximum(words - characters / 4, 0).astype(np.float32, copy=False)
    length = characters + np.float32(DENSE) * dense
    is_running = (length >= LONG) & (link_characters <= MOST_LINKS * characters)
    running = np.where(is_running, length, np.float32(0))
    return Lines(first, end, document.pieces.block[first], characters, words, link_characters, length, running)
