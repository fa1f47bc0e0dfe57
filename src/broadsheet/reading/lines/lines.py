"""The lines of a page: runs of text pieces that a browser sets on one line, the units that a trained reader labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.reading.text_lines import line_slices

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]

#: A line of this many characters with few links in it is running text.
LONG = 80
#: The share of a line's characters that may stand in links for it to be running text.
MOST_LINKS = 0.34
#: What a letter of a script without spaces counts more than a letter of an alphabet.
DENSE = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """One row per line with text, in document order."""

    #: The line's pieces `[first, end)`.
    first: Longs
    end: Longs
    #: The nearest element around it that breaks the line.
    block: Ints
    characters: Floats
    words: Floats
    link_characters: Floats
    #: Characters, those of scripts without spaces counted for what they say.
    length: Floats
    #: The length of the line where it is running text, and 0 where it is not.
    running: Floats

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.first)

    @property
    def links(self) -> Floats:
        """The share of each line's characters that stands in links."""
        # No line is without characters.
        share: Floats = np.divide(self.link_characters, self.characters)
        return share


def find_lines(document: Document) -> Lines:
    """Return the lines of a page, without those of its head, and what text each holds."""
    sums = document.sums
    first, end = line_slices(document)
    characters = (sums.characters[end] - sums.characters[first]).astype(np.float32)
    words = (sums.words[end] - sums.words[first]).astype(np.float32)
    link_characters = (sums.link_characters[end] - sums.link_characters[first]).astype(np.float32)
    # In an alphabet there is hardly more than a word to four letters.
    dense = np.maximum(words - characters / 4, 0).astype(np.float32, copy=False)
    length = characters + np.float32(DENSE) * dense
    is_running = (length >= LONG) & (link_characters <= MOST_LINKS * characters)
    running = np.where(is_running, length, np.float32(0))
    return Lines(first, end, document.pieces.block[first], characters, words, link_characters, length, running)
