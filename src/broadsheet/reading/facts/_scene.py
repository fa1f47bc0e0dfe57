"""The context in which facts are searched: the positions of title and text on a page, and what is near them."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.lazy import lazy
from broadsheet.document import Document
from broadsheet.reading._subtrees import differences, line_edges
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._languages import month_first
from broadsheet.reading.facts._line_signals import LineScorer, line_signals
from broadsheet.reading.facts._site_zones import SiteZone

#: The position of a line: above the title, between it and the text, at the text's beginning or end, in it, elsewhere.
Place = Literal["above", "below", "opening", "closing", "inside", "elsewhere"]

#: The positions near the title.
NEAR: Final = frozenset(("above", "below", "opening"))
#: The number of lines that count as near: above and below the title, and at the text's beginning and end.
_ABOVE, _BELOW, _OPENING, _CLOSING = 8, 15, 6, 8
#: The names of elements with more bytes of text say nothing about a single line.
MAX_MARKED = 300
#: The most links considered around the title, and around the end of the text.
MAX_LINKS = 60
#: The number of ancestors whose names are considered.
_LEVELS = 4


def is_near(source: str) -> bool:
    """Tell whether a source ends in a position near the title: "byline below"."""
    return source.rpartition(" ")[2] in NEAR


@dataclass(frozen=True)
class Scene:
    """A document, where its title and text are, its language, and when it was fetched."""

    document: Document
    title: int | None
    #: The first and the last piece of the text.
    body: tuple[int, int] | None
    #: Two letters, in lower case.
    language: str | None = None
    fetched_at: datetime | None = None
    #: The zones that the site may be in, by its other pages.
    zones: tuple[SiteZone, ...] = ()
    #: Tells how much lines look like bylines and dates; without it, no signal says so.
    score_lines: LineScorer | None = None

    @lazy
    def month_first(self) -> bool:
        """Whether 3/2/2026 is the second of March."""
        return month_first(self.document, self.language)

    @lazy
    def edges(self) -> NDArray[np.intp]:
        """The first piece of each line, followed by the end of the last line."""
        return line_edges(self.document.pieces.line)

    @lazy
    def _edges(self) -> list[int]:
        # A list, because single items are read faster than from an array.
        edges: list[int] = self.edges.tolist()
        return edges

    @lazy
    def characters(self) -> NDArray[np.int32]:
        """The number of characters per line."""
        return differences(self.document.sums.characters.take(self.edges))

    @lazy
    def digits(self) -> NDArray[np.int32]:
        """The number of digits per line."""
        return differences(self.document.sums.digits.take(self.edges))

    def lines_with_digits(self, longest: int, least: int, most: int) -> list[int]:
        """Return the lines of at most so many characters with so many digits; they are asked for several times."""
        lines = self._lines_with_digits.get((longest, least, most))
        if lines is None:
            fits = (self.characters <= longest) & (self.digits >= least) & (self.digits <= most)
            lines = self._lines_with_digits[longest, least, most] = fits.nonzero()[0].tolist()
        return lines

    @lazy
    def _lines_with_digits(self) -> dict[tuple[int, int, int], list[int]]:
        return {}

    @lazy
    def start(self) -> int:
        """The line of the title, or the first line of the text if the title is not visible."""
        piece = self.title if self.title is not None else self.body[0] if self.body else 0
        return self.line_of(piece)

    @lazy
    def text_lines(self) -> tuple[int, int]:
        """The first and last line of the text, or that of the title if there is no text."""
        return (self.line_of(self.body[0]), self.line_of(self.body[1])) if self.body else (self.start, self.start)

    def line_of(self, piece: int) -> int:
        """Return the line of a piece."""
        return bisect_right(self._edges, piece) - 1

    def line_pieces(self, line: int) -> tuple[int, int]:
        """Return the pieces of a line, `[first, end)`."""
        return self._edges[line], self._edges[line + 1]

    def texts(self, first: int, end: int) -> list[str]:
        """Return the texts of pieces `[first, end)` with collapsed white space."""
        text, start_of, end_of = self.document.columns.text, *self._piece_spans
        return [" ".join(text[start_of(piece) : end_of(piece)].decode().split()) for piece in range(first, end)]

    @lazy
    def _piece_spans(self) -> tuple[Callable[[int], int], Callable[[int], int]]:
        # Most texts have one or two pieces, for which slices of the columns would take longer.
        return self.document.pieces.start.item, self.document.pieces.end.item

    def line_text(self, line: int) -> str:
        """Return the text of a line with collapsed white space; several facts look at the same lines."""
        text = self._line_texts.get(line)
        if text is None:
            text = self._line_texts[line] = " ".join(self.texts(*self.line_pieces(line)))
        return text

    @lazy
    def _line_texts(self) -> dict[int, str]:
        return {}

    def line_signals(self, kind: int, shown: Sequence[tuple[Hashable, int]]) -> dict[Hashable, tuple[str, ...]]:
        """Return the signals of values by the lines that show them, given as values and pieces."""
        return line_signals(self.score_lines, self.document, kind, shown) if self.score_lines else {}

    def near_text(self, lines: list[int]) -> list[int]:
        """Return the lines that are near the title or at the text's beginning or end."""
        start, (first, last) = self.start, self.text_lines
        begin, end = start - _ABOVE, max(start + _BELOW, first + _OPENING)
        return [line for line in lines if begin <= line <= end or last - 1 <= line <= last + _CLOSING]

    def place(self, line: int) -> Place:
        """Return the position of a line."""
        start, (first, last) = self.start, self.text_lines
        if 0 < start - line <= _ABOVE:
            return "above"
        if start <= line < first and line <= start + _BELOW:
            return "below"
        if first <= line <= min(last, first + _OPENING):
            return "opening"
        if last - 1 <= line <= last + _CLOSING:
            return "closing"
        if start <= line <= start + _OPENING:
            return "below"
        return "inside" if first <= line <= last else "elsewhere"

    def names_around(self, node: int) -> str:
        """Return the names of a node and the small elements around it."""
        nodes, names = self.document.nodes, []
        for _ in range(_LEVELS):
            if node < 0 or nodes.text_end.item(node) - nodes.text_start.item(node) > MAX_MARKED:
                break
            names += _marks.names_of(self.document, node)
            node = nodes.parent.item(node)
        return " ".join(names).lower()

    def in_comments(self, piece: int, place: Place) -> bool:
        """Tell whether a piece at a given position is in readers' comments."""
        return place not in NEAR and bisect_right(self._comments, piece) % 2 == 1

    @lazy
    def links_near(self) -> list[tuple[int, int]]:
        """The links `[first, end)` in the lines around the title and around the end of the text."""
        owners, node_of = self.document.pieces.owner, self.document.hrefs.node
        end = self.text_lines[1]
        ranges = []
        for begin, until in ((self.start - _ABOVE, self.start + _BELOW), (end - 1, end + _CLOSING)):
            first, last = max(0, begin), min(len(self.edges) - 2, until)
            if first <= last:
                # A piece's owner may be the link before it, and a link around it comes before its owner.
                nodes = owners[self.edges[first]] - _LEVELS, owners[self.edges[last + 1] - 1] + 1
                rows = node_of.searchsorted(nodes).tolist()
                ranges.append((rows[0], min(rows[1], rows[0] + MAX_LINKS)))
        return ranges

    @lazy
    def names(self) -> bytes:
        """All element names, in lower case."""
        return self.document.tokens.text.lower()

    @lazy
    def _comments(self) -> list[int]:
        """Where comment blocks begin and end, in turn; elements around the title or the text's start do not count."""
        nodes, rows = self.document.nodes, _marks.marked_rows(self.document, self.names, _marks.COMMENTS)
        ranges = zip(nodes.piece_start[rows].tolist(), nodes.piece_end[rows].tolist(), strict=True) if rows else ()
        # No range begins before the first piece.
        title, body = -1 if self.title is None else self.title, self.body[0] if self.body else -1
        edges: list[int] = []
        for start, end in ranges:
            if start < end and not (start <= title < end) and not (start <= body < end):
                # Blocks come in document order, and one inside another adds nothing to it.
                if not edges or start > edges[-1]:
                    edges += (start, end)
                else:
                    edges[-1] = max(edges[-1], end)
        return edges
