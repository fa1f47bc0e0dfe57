"""All words of a page in order, and the piece of text that each stands in."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from broadsheet.corpora.compared_words import Ints, begins_within_a_word, ends_within_a_word, words_of
from broadsheet.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The words of a page, which tags may have cut: an initial of its own makes two of one."""

    words: list[str]
    #: The piece of each word.
    piece: Ints
    #: The line of each piece.
    lines: Ints
    #: Words `[first, end)` with nothing but tags between them.
    glued: list[tuple[int, int]]

    @classmethod
    def of(cls, document: Document) -> "PageWords":
        """Split every piece into words; the page's `title` shows outside the page and gives none."""
        words: list[str] = []
        pieces: list[int] = []
        seams: list[int] = []
        lines = document.pieces.line.astype(np.int64)
        line, before = -1, ""
        for piece in np.flatnonzero(~np.isin(document.pieces.owner, document.rows("title"))).tolist():
            text = document.piece_text(piece)
            found = words_of(text)
            if lines[piece] == line and found and ends_within_a_word(before) and begins_within_a_word(text):
                seams.append(len(words))
            words += found
            pieces += [piece] * len(found)
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

    def as_in(self, known: Collection[str]) -> "PageWords":
        """Return the words with those joined that are one word in another text; it stands where it begins."""
        kept = np.ones(len(self.words), np.bool_)
        words = list(self.words)
        for first, end in self.glued:
            whole = "".join(self.words[first:end])
            if whole in known and not all(word in known for word in self.words[first:end]):
                words[first] = whole
                kept[first + 1 : end] = False
        if kept.all():
            return self
        return PageWords([words[at] for at in np.flatnonzero(kept)], self.piece[kept], self.lines, [])


def _runs(seams: list[int]) -> Iterator[tuple[int, int]]:
    """Join seams that follow each other: a seam at `n` holds the words `n - 1` and `n` together."""
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
