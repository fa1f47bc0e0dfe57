"""The features of each line of a page: one row of numbers, and the known words in and around the line."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading._line_scans import own_features
from broadsheet.reading.lines import _structure, _words
from broadsheet.reading.lines.lines import Lines
from broadsheet.reading.lines.vocabulary import Vocabulary

Rows = NDArray[np.float32]

#: The most known words per line, in its text and in the names around it.
MAX_WORDS = 8 + 4 + 1, 64

_EDGES = ("other alphabet", "small", "capital", "digit", "colon", "closing", "stop", "mark", "comma", "rest")
_OWN = ("length", "words", "links", "characters a word", "upper", "digits", "digits counted", "punctuation",
        "stops a length", "title overlap", "depth")  # fmt: skip
_PAGE = ("lines", "length", "links", "running", "running length", "running lines", "running a line", "longest", "words")
_MARKS = ("stops", "commas", "bars", "brackets", "signs")
_LEVEL = ("lines", "length", "share", "links", "running", "running lines", "length a line", "place", "children")
_REPEAT = ("lines", "length", "length a line", "running", "links")
_CONTAINER = ("inside", "place", "place from the end", "relative place", "from the first text", "from the last text",
              "levels apart", "share", "direct")  # fmt: skip
_PLACE = ("place", "of longest", "length before", "running before", "since running", "until running", "since the run",
          "until the run's end", "in the run")  # fmt: skip
_HEADING = ("h1", "h2", "h3 and lower", "since", "level before", "before", "since h1", "since title", "title known")

#: The feature names, in the order in which the compiled passes fill them.
COLUMNS: tuple[str, ...] = (
    *_OWN,
    *(f"page: {name}" for name in _PAGE),
    *_MARKS,
    *(f"begins: {name}" for name in _EDGES),
    *(f"ends: {name}" for name in _EDGES),
    "begun alike",
    *(f"{name} {level}" for level in range(6) for name in _LEVEL),
    *(f"{kind}: {name}" for kind in ("alike", "on path", "alike on path") for name in _REPEAT),
    *(f"{kind}: {name}" for kind in ("container", "wider") for name in _CONTAINER),
    *_PLACE,
    *(f"heading: {name}" for name in _HEADING),
)

_COUNTED = (b".!?", b",;", b"|/>", b"()[]{}", b"@#$%&+=_~^*\\<")
_KIND_OF_BYTE = np.zeros(256, np.uint8)
for _number, _characters in enumerate(_COUNTED, 1):
    _KIND_OF_BYTE[list(_characters)] = _number
_EDGE_OF_BYTE = np.full(256, 9, np.uint8)
_EDGE_OF_BYTE[128:] = 0
for _number, _characters in enumerate(
    (b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789", b":", b"\"')", b".!?",
     b"-|/>*#[](+=~<&@$%", b",;"), 1
):  # fmt: skip
    _EDGE_OF_BYTE[list(_characters)] = _number
_LEVEL_OF_TAG = np.zeros(len(NAMES), np.int32)
_LEVEL_OF_TAG[[CODES[f"h{level}"] for level in range(1, 7)]] = range(1, 7)


@dataclass(frozen=True, slots=True, eq=False)
class LineMeasurements:
    """One row of features per line, and the ids of its known words: the first `counts` in its row of `words`."""

    rows: Rows
    words: NDArray[np.int32]
    counts: NDArray[np.int32]


def measure(
    document: Document, lines: Lines, title: tuple[int | None, str], vocabulary: Vocabulary
) -> LineMeasurements:
    """Compute the features of a page's lines; `title` is the line of its title, if any, and its text."""
    nodes, pieces, count = document.nodes, document.pieces, len(lines)
    rows = np.empty((count, len(COLUMNS)), np.float32)
    words, counts = np.empty((count, sum(MAX_WORDS)), np.int32), np.zeros(count, np.int32)
    text = np.frombuffer(document.columns.text, np.uint8)
    start, end = pieces.start.take(lines.first), pieces.end.take(lines.end - 1)
    overlap = _add_text_words(text, start, end, title[1], vocabulary, words, counts)
    column = len(_OWN) + len(_PAGE)
    _words.line_marks(text, start, end, _KIND_OF_BYTE, _EDGE_OF_BYTE, rows, column)
    own_features(lines, document.sums, nodes.depth, overlap, rows, column)
    column += len(_MARKS) + 2 * len(_EDGES)
    _words.begun_alike(text, start, end, rows, column)
    ranges = _ranges(document, lines)
    signature, place, known = _names(document, vocabulary)
    _structure.measure(
        nodes.tag, nodes.parent, ranges, signature, lines.block, pieces.owner[lines.first],
        np.array((lines.length, lines.characters, lines.link_characters, lines.running)), _LEVEL_OF_TAG,
        -1 if title[0] is None else title[0], rows, column + 1,
    )  # fmt: skip
    _words.path_names(
        lines.block, nodes.parent, nodes.tag, ranges, lines.running, place, known, len(vocabulary.names),
        vocabulary.zone, words, counts,
    )  # fmt: skip
    return LineMeasurements(rows, words, counts)


def _add_text_words(  # noqa: PLR0913, PLR0917 - input and output columns
    text: NDArray[np.uint8], start: NDArray[np.int32], end: NDArray[np.int32], title: str, vocabulary: Vocabulary,
    words: NDArray[np.int32], counts: NDArray[np.int32],
) -> NDArray[np.float32]:  # fmt: skip
    overlap = np.zeros(len(start), np.float32)
    found = _words.keys_of(np.frombuffer(title.encode(), np.uint8)) if title else ()
    keys = np.array(sorted(set(found)), np.uint64)
    table = vocabulary.text_table
    offset = vocabulary.size - len(vocabulary.texts)
    _words.line_words(text, start, end, keys, table.keys, table.values, offset, words, counts, overlap)
    return overlap


def _ranges(document: Document, lines: Lines) -> NDArray[np.int32]:
    nodes = document.nodes
    return _structure.element_lines(nodes.parent, nodes.piece_start, nodes.piece_end, lines.first, len(document.pieces))


def _names(
    document: Document, vocabulary: Vocabulary
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """Return a hash of each element's names, and the ids of those in the vocabulary."""
    tokens, nodes = document.tokens, len(document.nodes)
    signature, place = np.zeros(nodes, np.uint64), np.zeros(nodes + 1, np.int32)
    known = np.empty(len(tokens.text) + 1, np.int32)
    table = vocabulary.name_table
    _words.element_names(
        np.frombuffer(tokens.text + b" ", np.uint8), tokens.start, tokens.end, tokens.node, table.keys, table.values,
        signature, place, known,
    )  # fmt: skip
    return signature, place, known
