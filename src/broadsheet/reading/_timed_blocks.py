"""Sibling blocks that each begin with a time, in any language: what a live blog looks like."""

import re
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading._assembly_scans import clock_candidates
from broadsheet.reading._subtrees import outermost, prefix_sums, subtree_pieces
from broadsheet.reading.furniture import furniture
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.text_lines import line_slices

#: The minimum number of blocks in a live blog.
MIN_BLOCKS = 3
#: The minimum share of the body's words in the blocks, and of the blocks' words in the body: timed links have less.
MIN_OF_BODY, MIN_BODY = 0.5, 0.5
#: The minimum mean number of words per block; timetables have fewer.
MIN_WORDS = 12
#: The minimum share of steps from one time to the next that go in the same direction: prices and results have less.
MIN_ORDERED = 0.8
#: From this many steps on, one in the other direction is always allowed: it may be midnight.
FEW_STEPS = 4
#: How many elements a block may be above its first line, and how many lines are considered.
MAX_LEVELS, MAX_LINES = 8, 5_000

#: A time of day at the beginning of a line, up to a separator: `14:32`, `2pm`, `12.31 Uhr:`, `9h05 -`.
CLOCK = re.compile(
    r"\W{0,3}(?P<hour>[01]?\d|2[0-3])\s?(?:[:.hH\u65f6\u6642]\s?(?P<minute>[0-5]\d)(?![\d,]|\.\d)|(?=\s?[ap]\.?m\b))"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?[^\W\d_]{1,5}\s?[:|\u2013\u2014-])?\W{0,3}",
    re.IGNORECASE,
)
#: Bytes considered at the beginning of a line, including white space.
_MAX_CLOCK_BYTES = 80
_UPDATE = "liveblogupdate"


class PieceSpan(NamedTuple):
    """The pieces `[start, end)` of one entry."""

    start: int
    end: int


class _Start(NamedTuple):
    """A line that begins with a time: its first piece, the first piece of its block, and the minute of the day."""

    piece: int
    first: int
    minute: int | None


def find_stated_blocks(document: Document) -> list[PieceSpan]:
    """Return the blocks that microdata declares updates of a live blog."""
    nodes, attributes = document.nodes, document.columns.attributes
    if _UPDATE.encode() not in attributes.text.lower():
        return []
    itemprops = attributes.rows_with("itemprop")
    stated = [node for node, names in itemprops if _UPDATE in names.lower().split()]
    # Nested updates would be read once per level.
    updates = outermost(document, np.array(stated, np.int32)).tolist()
    return [PieceSpan(int(nodes.piece_start[node]), int(nodes.piece_end[node])) for node in updates]


def find_timed_blocks(document: Document, reading: Reading) -> list[PieceSpan]:
    """Return sibling blocks that begin with a time and contain most of the body, if any."""
    starts = _starts(document)
    if len(starts) < MIN_BLOCKS:
        return []
    families = _families(document, starts)
    spans = max((_spans(document, *family) for family in families.items()), key=len, default=[])
    return spans if len(spans) >= MIN_BLOCKS and _contain_body(document, reading, spans) else []


def _starts(document: Document) -> list[_Start]:
    """Return the lines that begin with a time, as text or in a `time` element."""
    candidates, times = _candidates(document), document.rows("time")
    in_times = document.nodes.piece_end.take(times) - document.nodes.piece_start.take(times)
    least = MIN_BLOCKS - int(np.add.reduce(in_times))
    if len(candidates) < least:
        return []
    clocks = _clocks(document, candidates)
    if len(clocks) < least:
        return []
    begins_with_time = subtree_pieces(document, times)
    begins_with_time[list(clocks)] = True
    firsts = _first_pieces(document)
    places = begins_with_time.take(firsts).nonzero()[0]
    if len(places) < MIN_BLOCKS:
        return []
    in_heading = in_headings(document)
    pieces, before = firsts.take(places), firsts.take(np.maximum(places - 1, 0))
    return [
        _Start(piece, above if is_heading else piece, clocks.get(piece))
        for piece, above, is_heading in zip(
            pieces.tolist(), before.tolist(), in_heading.take(before).tolist(), strict=True
        )
    ]


def _first_pieces(document: Document) -> NDArray[np.intp]:
    """Return the first piece of each line considered."""
    return line_slices(document)[0][:MAX_LINES]


def _candidates(document: Document) -> list[int]:
    """Return the pieces that may begin with a time of day."""
    text = np.frombuffer(document.columns.text, np.uint8)
    pieces = clock_candidates(text, document.pieces.start, document.sums.digits)
    return np.intersect1d(pieces, _first_pieces(document)).tolist() if len(pieces) > MAX_LINES else pieces


def _clocks(document: Document, pieces: list[int]) -> dict[int, int]:
    """Return the pieces that begin with a time of day, with its minute."""
    starts, text = document.pieces.start, document.columns.text
    clocks = {}
    for piece in pieces:
        start = starts.item(piece)
        beginning = text[start : start + _MAX_CLOCK_BYTES].decode(errors="ignore").lstrip()
        if clock := CLOCK.match(beginning):
            clocks[piece] = _minute(clock)
    return clocks


def _minute(clock: re.Match[str]) -> int:
    return 60 * int(clock["hour"]) + int(clock["minute"] or 0)


def _families(document: Document, starts: list[_Start]) -> dict[int, dict[int, _Start]]:
    """Return the children of each element that begin with a time."""
    nodes = document.nodes
    families: defaultdict[int, dict[int, _Start]] = defaultdict(dict)
    for start in starts:
        node = int(document.pieces.block[start.piece])
        for _ in range(MAX_LEVELS):
            parent = int(nodes.parent[node])
            if parent < 0 or int(nodes.piece_start[node]) not in (start.piece, start.first):
                break
            families[parent].setdefault(node, start)
            node = parent
    return families


def _spans(document: Document, parent: int, children: dict[int, _Start]) -> list[PieceSpan]:
    """Return the blocks of one family: each child by itself, or together with its siblings up to the next."""
    nodes, words = document.nodes, document.sums.words
    if len(children) < MIN_BLOCKS or not _ordered([start.minute for start in children.values()]):
        return []
    # The members of a family share one tag; a date above the entries is not one of them.
    tags = nodes.tag[list(children)]
    commonest = int(np.bincount(tags).argmax())
    rows = [node for node, tag in zip(children, tags.tolist(), strict=True) if tag == commonest]
    alone = [PieceSpan(int(nodes.piece_start[row]), int(nodes.piece_end[row])) for row in rows]
    if sum(int(words[span.end] - words[span.start]) for span in alone) >= MIN_WORDS * len(alone):
        return alone
    edges = [*(span.start for span in alone), int(nodes.piece_end[parent])]
    return [PieceSpan(start, end) for start, end in pairwise(edges)]


def _ordered(minutes: list[int | None]) -> bool:
    """Tell whether the known times run in one direction, allowing for midnight."""
    steps = [after - before for before, after in pairwise(m for m in minutes if m is not None)]
    against = min(sum(step < 0 for step in steps), sum(step > 0 for step in steps))
    return against <= max((1 - MIN_ORDERED) * len(steps), int(len(steps) >= FEW_STEPS))


def _contain_body(document: Document, reading: Reading, spans: list[PieceSpan]) -> bool:
    """Tell whether most of the body is in the blocks, and most of their text is body."""
    words = np.diff(document.sums.words)
    body = prefix_sums(np.where(np.isin(reading.labels, (Label.BODY, Label.HEADING)), words, 0))
    total = document.sums.words
    inside = sum(int(body[span.end] - body[span.start]) for span in spans)
    words_in_blocks = sum(int(total[span.end] - total[span.start]) for span in spans)
    if inside < max(MIN_OF_BODY * int(body[-1]), MIN_BODY * words_in_blocks, MIN_WORDS * len(spans)):
        return False
    # Readers' comments have times too, but their elements are named accordingly.
    first = int(document.pieces.block[spans[0].start])
    return not furniture(document)[first]
