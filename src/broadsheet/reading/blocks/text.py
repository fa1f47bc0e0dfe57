"""What the text of lines looks like, in any language: its length, its letters, how it begins and ends."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.table import Column

#: The largest length and number of words that make a difference.
LONGEST = 4000.0
_SPACE = 32

#: Marks that are counted, kind by kind.
_COUNTED = {"stops": b".!?", "commas": b",;", "bars": b"|/>", "brackets": b"()[]{}", "signs": b"@#$%&+=_~^*\\<"}
_KIND_OF_BYTE = np.zeros(256, np.uint8)
for _number, _marks in enumerate(_COUNTED.values(), 1):
    _KIND_OF_BYTE[list(_marks)] = _number

#: How a line begins or ends, in an order that trees can cut: other alphabets, small letters, capitals, digits, a colon,
#: what closes, full stops, other marks, commas, the rest.
_EDGES = {1: b"abcdefghijklmnopqrstuvwxyz", 2: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 3: b"0123456789", 4: b":", 5: b"\"')"}
_EDGES |= {6: b".!?", 7: b"-|/>*#[](+=~<&@$%", 8: b",;"}
_FULL_STOP = 6
_EDGE = np.full(256, 9, np.uint8)
_EDGE[128:] = 0
for _kind, _marks in _EDGES.items():
    _EDGE[list(_marks)] = _kind
#: Full stops and closing quotation marks of other scripts, by their last three bytes.
_STOPS = np.array([int.from_bytes(stop.encode()[-3:], "big") for stop in "。！？…”»“।」』）؟۔"], np.int64)


def text_columns(document: Document, lines: Lines) -> dict[str, Column]:
    """Return the columns that tell what each line's own text looks like."""
    sums, characters = document.sums, lines.characters
    upper, digits = (column[lines.end] - column[lines.first] for column in (sums.upper, sums.digits))
    columns: dict[str, Column] = {
        "length": np.minimum(lines.length, LONGEST),
        "words": np.minimum(lines.words, LONGEST),
        "links": lines.links,
        "characters a word": characters / np.maximum(lines.words, 1),
        "upper": upper / characters,
        "digits": digits / characters,
        "digits counted": digits,
        "punctuation": (sums.punctuation[lines.end] - sums.punctuation[lines.first]) / characters,
    }
    text = np.frombuffer(document.columns.text, np.uint8)
    start, end = document.pieces.start[lines.first], document.pieces.end[lines.end - 1]
    marks = _marks_in(text, start, end)
    columns |= dict(zip(_COUNTED, marks, strict=True))
    columns["stops a length"] = marks[0] / lines.length
    shown = np.flatnonzero(text > _SPACE)
    begins = shown[np.searchsorted(shown, start)]
    ends = shown[np.searchsorted(shown, end) - 1]
    columns["beginning"] = _EDGE[text[begins]].astype(np.int32)
    columns["ending"] = _endings(text, ends)
    columns["begun alike"] = np.minimum(_begun_alike(text, begins), 20)
    return columns


def _marks_in(text: NDArray[np.uint8], start: NDArray[np.int32], end: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how many marks of each kind each line holds: a row per kind."""
    kinds = _KIND_OF_BYTE[text]
    marks = np.flatnonzero(kinds)
    line = np.searchsorted(end, marks, "right")
    inside = line < len(start)
    inside[inside] = marks[inside] >= start[line[inside]]
    places = (kinds[marks[inside]] - 1).astype(np.int64) * len(start) + line[inside]
    return np.bincount(places, minlength=len(_COUNTED) * len(start)).reshape(len(_COUNTED), len(start))


def _endings(text: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.int32]:
    two = text[ends].astype(np.int64) | text[np.maximum(ends - 1, 0)].astype(np.int64) << 8
    three = two | text[np.maximum(ends - 2, 0)].astype(np.int64) << 16
    stops = (three[:, None] == _STOPS).any(axis=1) | (two[:, None] == _STOPS).any(axis=1)
    return np.where(stops, _FULL_STOP, _EDGE[text[ends]]).astype(np.int32)


def _begun_alike(text: NDArray[np.uint8], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many lines begin with the same six bytes: readers' comments and lists do."""
    beginning = np.zeros(len(begins), np.int64)
    for step in range(6):
        beginning = beginning << 8 | text[np.minimum(begins + step, len(text) - 1)]
    _, which, count = np.unique(beginning, return_inverse=True, return_counts=True)
    return count[which]
