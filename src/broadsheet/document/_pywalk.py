"""A walk over lxml's tree in Python: the reference for the compiled parse, and its fallback for an unknown lxml."""

import re
from dataclasses import dataclass, field

import numpy as np
from lxml import etree

from broadsheet.document import _attribute_names
from broadsheet.document._attributes import Attributes
from broadsheet.document.characters import count_characters
from broadsheet.document.columns import TAIL_SLOT, TEXT_SLOT, Columns, Hrefs, Ints, Nodes, NodeTexts, Pieces, Sums
from broadsheet.document.tags import (
    BLOCK_FLAG,
    BREAK_FLAG,
    CODES,
    COMMENT,
    FLAGS,
    LINK_FLAG,
    UNKNOWN,
    UNREAD_FLAG,
)

#: A token of an attribute; only HTML's own white space separates tokens.
_TOKEN = re.compile(rb"[^ \t\n\f\r]+")


@dataclass
class _Table:
    """Rows of integers, stored as columns."""

    width: int
    columns: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = [[] for _ in range(self.width)]

    def __len__(self) -> int:
        return len(self.columns[0])

    def append(self, *row: int) -> None:
        for column, value in zip(self.columns, row, strict=True):
            column.append(value)

    def arrays(self) -> list[Ints]:
        return [_to_array(column) for column in self.columns]


@dataclass
class _Texts:
    """The texts of a few nodes."""

    table: _Table = field(default_factory=lambda: _Table(3))
    text: bytearray = field(default_factory=bytearray)

    def add(self, node: int, text: str) -> None:
        start = len(self.text)
        self.text += text.encode()
        self.table.append(node, start, len(self.text))

    def node_texts(self) -> NodeTexts:
        return NodeTexts(bytes(self.text), *self.table.arrays())


@dataclass(frozen=True)
class _Level:
    """What applies to everything inside an open element."""

    node: int = -1
    link: int = -1
    block: int = 0
    read: bool = True


class _Walk:
    """The state of one walk."""

    def __init__(self) -> None:
        self.nodes = _Table(8)
        self.first_attribute: list[int] = []
        self.attributes = _Table(3)
        self.values = bytearray()
        self.unknown = _Texts()
        self.json_ld = _Texts()
        self.pieces = _Table(7)
        self.sums = _Table(7)
        self.hrefs = _Table(4)
        self.text = bytearray()
        self.href_text = bytearray()
        self.line = 0
        self.totals = [0] * 7
        self.sums.append(*self.totals)

    def add_text(self, text: str | None, owner: int, slot: int, level: _Level) -> None:
        """Append the text of one slot to the buffer, and add a piece unless it is blank."""
        if not text or not level.read:
            return
        start = len(self.text)
        self.text += text.encode()
        counts = count_characters(text)
        if not counts.characters:
            return
        self.pieces.append(owner, slot, start, len(self.text), level.link, level.block, self.line)
        increments = (*counts, counts.characters if level.link >= 0 else 0)
        self.totals = [total + increment for total, increment in zip(self.totals, increments, strict=True)]
        self.sums.append(*self.totals)

    def open(self, element: etree._Element, is_comment: bool, depth: int, outer: _Level) -> _Level:
        """Add a row for an element or comment and return the level inside it."""
        row = len(self.nodes)
        tag = COMMENT if is_comment else CODES.get(element.tag, UNKNOWN)
        flags = FLAGS[tag]
        link = outer.link
        if flags & (BLOCK_FLAG | BREAK_FLAG):
            self.line += 1
        self.add_attributes(element, is_comment)
        if tag == UNKNOWN:
            self.unknown.add(row, str(element.tag))
        elif tag == CODES["script"] and "ld+json" in str(element.get("type")).lower():
            self.json_ld.add(row, element.text or "")
        if flags & LINK_FLAG and (href := element.get("href")) is not None:
            link = row
            start = len(self.href_text)
            self.href_text += href.encode()
            self.hrefs.append(row, start, len(self.href_text), _style_hash(element.get("class", "")))
        self.nodes.append(tag, outer.node, 0, depth, len(self.text), 0, len(self.pieces), 0)
        block = row if flags & BLOCK_FLAG else outer.block
        return _Level(row, link, block, outer.read and not flags & UNREAD_FLAG)

    def add_attributes(self, element: etree._Element, is_comment: bool) -> None:
        """Append the values of an element's attributes to the buffer, after the names that have no code."""
        self.first_attribute.append(len(self.attributes))
        for key, value in () if is_comment else element.items():
            name = str(key)
            code = _attribute_names.CODES.get(name, _attribute_names.OTHER)
            self.values += b"" if code else f"{name}\0".encode()
            start = len(self.values)
            self.values += str(value).encode()
            self.attributes.append(code, start, len(self.values))

    def close(self, row: int) -> None:
        """Record where the subtree of a node ends."""
        columns = self.nodes.columns
        columns[2][row] = len(self.nodes)
        columns[5][row] = len(self.text)
        columns[7][row] = len(self.pieces)
        if FLAGS[columns[0][row]] & BLOCK_FLAG:
            self.line += 1


def _to_array(column: list[int]) -> Ints:
    """Return a column as an array over bytes, which is read-only."""
    return np.frombuffer(np.array(column, np.int32).tobytes(), np.int32)


def _style_hash(classes: str) -> int:
    """Return the 32-bit FNV-1a hash of the first class, as a signed integer."""
    first = _TOKEN.search(classes.encode())
    value = 2166136261
    for byte in first[0] if first else b"":
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def walk_in_python(root: etree._Element, deepest: int) -> Columns | None:
    """Return the columns of the tree below `root`, or None if it has more than `deepest` levels."""
    state = _Walk()
    levels = [_Level()]
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "end":
            level = levels.pop()
        elif len(levels) > deepest:
            return None
        else:
            level = state.open(element, event != "start", len(levels) - 1, levels[-1])
        if event == "start":
            state.add_text(element.text, level.node, TEXT_SLOT, level)
            levels.append(level)
            continue
        state.close(level.node)
        if len(levels) > 1:
            state.add_text(element.tail, level.node, TAIL_SLOT, levels[-1])
    return Columns(
        Nodes(*state.nodes.arrays()),
        Pieces(*state.pieces.arrays()),
        Sums(*state.sums.arrays()),
        Hrefs(*state.hrefs.arrays()),
        Attributes(_to_array(state.first_attribute), state.attributes.arrays(), bytes(state.values)),
        state.unknown.node_texts(),
        state.json_ld.node_texts(),
        bytes(state.text),
        bytes(state.href_text),
    )
