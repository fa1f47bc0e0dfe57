"""The words of a page in order, with the piece of text that each is in."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from broadsheet.corpora._compared_words import Ints, begins_within_a_word, ends_within_a_word, words_of
from broadsheet.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The words of a page; a tag inside a word, as around an initial, splits it in two."""

    words: list[str]
    #: The piece of each word.
    piece: Ints
    #: The line of each piece.
    lines: Ints
    #: Words `[first, end)` that only tags separate.
    unseparated: list[tuple[int, int]]

    @classmethod
    def from_document(cls, document: Document) -> "PageWords":
        """Split every piece into words, except the `title`, which is not shown on the page."""
        words: list[str] = []
        pieces: list[int] = []
        seams: list[int] = []
        lines = document.pieces.line.astype(np.int64)
        line, before = -1, ""
        for piece in np.flatnonzero(~np.isin(document.pieces.owner, document.rows("title"))).tolist():
            text = document.piece_text(piece)
            new_words = words_of(text)
            if lines[piece] == line and new_words and ends_within_a_word(before) and begins_within_a_word(text):
                seams.append(len(words))
            words += new_words
            pieces += [piece] * len(new_words)
            line, before = int(lines[piece]), text
        return cls(words, np.array(pieces, np.int64), lines, list(_runs(seams)))

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.lines)

    @property
    def counts(self) -> Ints:
        """The number of words in each piece."""
        return np.bincount(self.piece, minlength=self.pieces).astype(np.int64)

    def joined_as_in(self, known: Collection[str]) -> "PageWords":
        """Join split words that are one word in another text; a joined word belongs to its first piece."""
        kept = np.ones(len(self.words), np.bool_)
        words = list(self.words)
        for first, end in self.unseparated:
            joined = "".join(self.words[first:end])
            if joined in known and not all(word in known for word in self.words[first:end]):
                words[first] = joined
                kept[first + 1 : end] = False
        if kept.all():
            return self
        return PageWords([words[index] for index in np.flatnonzero(kept)], self.piece[kept], self.lines, [])


def _runs(seams: list[int]) -> Iterator[tuple[int, int]]:
    """Merge consecutive seams: a seam at `n` connects the words `n - 1` and `n`."""
    first = end = 0
    for seam in seams:
        if seam == end:
            end = seam + 1
            continue
        if end:
            yield first, end
        first, end = seam - 1, seam + 1
    if end:
        yield first, end
