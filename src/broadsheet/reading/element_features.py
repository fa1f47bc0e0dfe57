"""The 41 features of every element of a page that memory-based learning compares.

Each element has two slots for text: its own text, up to its first child, and its tail, between its end and the next
tag. An element is described by the tags of the five elements before and after it in document order, the lengths and
end marks of the texts and tails of its three neighbours on either side, and whether its text and its tail are in upper
case. Comments are elements too, because their tails carry text. Scripts and styles are left out, except those whose
tail carries text, which would otherwise have no label.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import TAIL_SLOT, TEXT_SLOT, Ints
from broadsheet.document.tags import COMMENT, NAMES
from broadsheet.reading._subtrees import differences, tag_mask

#: How many neighbours on either side are compared by their tags, and by their lengths and end marks.
TAG_REACH, TEXT_REACH = 5, 3
#: The share of upper-case letters above which a text is in upper case.
UPPER_SHARE = 0.7
#: Characters that end a sentence or a quotation, in all scripts that have one.
END_MARKS = frozenset(".?!…‽\"'”’“‘»«›‹„。．｡！？」』〉》〞〟＂＇؟۔।॥።፧፨՞՜։።၊။។៕᠃᠉꓿⸮⁇⁈⁉‼")
#: The code and the symbol of a neighbour outside the page, and the symbol of a comment.
OUTSIDE, OUTSIDE_SYMBOL, COMMENT_SYMBOL = -1, "=", "#"

_TAG_OFFSETS = range(-TAG_REACH, TAG_REACH + 1)
_TEXT_OFFSETS = range(-TEXT_REACH, TEXT_REACH + 1)


def _names(kind: str, offsets: range) -> tuple[str, ...]:
    return tuple(f"{kind}{offset:+d}" if offset else kind for offset in offsets)


#: The names of the features, in the order of the columns.
FEATURES: tuple[str, ...] = (
    *_names("tag", _TAG_OFFSETS),
    *_names("text_length", _TEXT_OFFSETS),
    *_names("tail_length", _TEXT_OFFSETS),
    "text_upper",
    "tail_upper",
    *_names("text_end_mark", _TEXT_OFFSETS),
    *_names("tail_end_mark", _TEXT_OFFSETS),
)
#: Which features are tags, and which are lengths, which can be compared as symbols or as numbers.
TAG_COLUMNS = slice(0, len(_TAG_OFFSETS))
LENGTH_COLUMNS = slice(TAG_COLUMNS.stop, TAG_COLUMNS.stop + 2 * len(_TEXT_OFFSETS))

_SKIPPED = tag_mask(frozenset({"script", "style"}))
_SYMBOLS = np.array([COMMENT_SYMBOL if code == COMMENT else name for code, name in enumerate(NAMES)] + [OUTSIDE_SYMBOL])


@dataclass(frozen=True, slots=True, eq=False)
class ElementFeatures:
    """One row per element, in document order: its row among the document's nodes, and its features as integers.

    Tags are the codes of `broadsheet.document.tags`, or `OUTSIDE`; lengths are counts of characters after white space
    is collapsed, 0 outside the page; flags are 0 or 1.
    """

    nodes: Ints
    values: Ints

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.nodes)

    def symbols(self) -> list[list[str]]:
        """Return the features as text: tag names as they are, `#` for a comment, `=` outside the page."""
        tags = _SYMBOLS[self.values[:, TAG_COLUMNS]].tolist()
        numbers = self.values[:, TAG_COLUMNS.stop :].astype(str).tolist()
        return [tag + number for tag, number in zip(tags, numbers, strict=True)]


def element_features(document: Document) -> ElementFeatures:
    """Return the features of all elements of a document."""
    nodes = instance_nodes(document)
    lengths = _by_slot(document, differences(document.sums.characters))
    upper = _by_slot(document, _in_upper_case(document))
    ends = _by_slot(document, _end_marks(document))
    columns = [
        _window(document.nodes.tag[nodes], TAG_REACH, OUTSIDE),
        _window(lengths[nodes, TEXT_SLOT], TEXT_REACH, 0),
        _window(lengths[nodes, TAIL_SLOT], TEXT_REACH, 0),
        upper[nodes],
        _window(ends[nodes, TEXT_SLOT], TEXT_REACH, 0),
        _window(ends[nodes, TAIL_SLOT], TEXT_REACH, 0),
    ]
    return ElementFeatures(nodes, np.concatenate(columns, axis=1, dtype=np.int32))


def instance_nodes(document: Document) -> Ints:
    """Return the rows of the nodes that are described: all but scripts and styles without text after them."""
    pieces = document.pieces
    has_tail = np.zeros(len(document.nodes), np.bool_)
    has_tail[pieces.owner[pieces.slot == TAIL_SLOT]] = True
    return np.flatnonzero(has_tail | ~_SKIPPED.take(document.nodes.tag)).astype(np.int32)


def _by_slot(document: Document, values: NDArray[np.integer] | NDArray[np.bool_]) -> Ints:
    """Return a value per piece as a table of nodes by slots, 0 where a slot has no text."""
    pieces = document.pieces
    table = np.zeros((len(document.nodes), 2), np.int32)
    table[pieces.owner, pieces.slot] = values
    return table


def _in_upper_case(document: Document) -> NDArray[np.bool_]:
    upper: NDArray[np.bool_] = differences(document.sums.upper) > UPPER_SHARE * differences(document.sums.letters)
    return upper


def _end_marks(document: Document) -> NDArray[np.bool_]:
    """Return which pieces end with an end mark, ignoring white space."""
    text, pieces = document.columns.text, document.pieces
    bounds = zip(pieces.start.tolist(), pieces.end.tolist(), strict=True)
    return np.array([text[start:end].decode().rstrip()[-1:] in END_MARKS for start, end in bounds], np.bool_)


def _window(column: Ints, reach: int, outside: int) -> Ints:
    """Return a column beside its shifted copies: the values of the `reach` rows before and after each row."""
    padded = np.pad(column, reach, constant_values=outside)
    windows: Ints = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)[: len(column)]
    return windows
