"""The lines of a page: runs of text pieces without a line break, which the trained reader labels as one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.reading._line_scans import line_columns
from broadsheet.reading.text_lines import head_end

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]


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
    #: The length of the line if it is running text, at least 80 long with few links, else 0.
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
    sums, pieces = document.sums, document.pieces
    return Lines(
        *line_columns(pieces.line, pieces.block, sums.characters, sums.words, sums.link_characters, head_end(document))
    )
