"""The walk in pure Python: the reference for the compiled one, and its fallback for an unknown version of lxml."""

import re
from dataclasses import dataclass, field

import numpy as np
from lxml import etree

from broadsheet.document.characters import count_characters
from broadsheet.document.columns import TAIL_SLOT, TEXT_SLOT, Columns, Hrefs, Ints, Nodes, Pieces, Sums, Tokens
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
        return [np.frombuffer(np.array(column, np.int32).tobytes(), np.int32) for column in self.columns]


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
        self.pieces = _Table(7)
        self.sums = _Table(7)
        self.hrefs = _Table(4)
        self.elements: list[etree._Element] = []
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
        if flags & LINK_FLAG and (href := element.get("href")) is not None:
            link = row
            start = len(self.href_text)
            self.href_text += href.encode()
            self.hrefs.append(row, start, len(self.href_text), _style_hash(element.get("class", "")))
        self.nodes.append(tag, outer.node, 0, depth, len(self.text), 0, len(self.pieces), 0)
        self.elements.append(element)
        block = row if flags & BLOCK_FLAG else outer.block
        return _Level(row, link, block, outer.read and not flags & UNREAD_FLAG)

    def close(self, row: int) -> None:
        """Record where the subtree of a node ends."""
        columns = self.nodes.columns
        columns[2][row] = len(self.nodes)
        columns[5][row] = len(self.text)
        columns[7][row] = len(self.pieces)
        if FLAGS[columns[0][row]] & BLOCK_FLAG:
            self.line += 1


def _style_hash(classes: str) -> int:
    """Return the 32-bit FNV-1a hash of the first class, as a signed integer."""
    first = _TOKEN.search(classes.encode())
    value = 2166136261
    for byte in first[0] if first else b"":
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def tokens(elements: list[etree._Element]) -> Tokens:
    """Return the tokens in the attributes of `Tokens.KINDS`."""
    table = _Table(4)
    text = bytearray()
    for row, element in enumerate(elements):
        for name, value in element.attrib.items():
            if name in Tokens.KINDS:
                text_start = len(text)
                raw = str(value).encode()
                text += raw
                for match in _TOKEN.finditer(raw):
                    table.append(
                        row, Tokens.KINDS.index(str(name)), text_start + match.start(), text_start + match.end()
                    )
    return Tokens(bytes(text), *table.arrays())


def attribute_sets(elements: list[etree._Element], valued: list[str], named: list[str]) -> tuple[Ints, list[bytes]]:
    """Return the index of each node's attribute set, and the distinct sets as bytes."""
    index_of: dict[bytes, int] = {}
    set_indices = np.empty(len(elements), np.int32)
    for row, element in enumerate(elements):
        attributes = ((str(name), str(value) if name in valued else "") for name, value in element.attrib.items())
        serialised = "".join(f"{name}\0{value}\0" for name, value in attributes if name in valued or name in named)
        set_indices[row] = index_of.setdefault(serialised.encode(), len(index_of))
    return set_indices, list(index_of)


def walk(root: etree._Element, deepest: int) -> tuple[Columns, list[etree._Element]] | None:
    """Return the columns and the elements of the tree below `root`, or None if it has more than `deepest` levels."""
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
    columns = Columns(
        Nodes(*state.nodes.arrays()),
        Pieces(*state.pieces.arrays()),
        Sums(*state.sums.arrays()),
        Hrefs(*state.hrefs.arrays()),
        bytes(state.text),
        bytes(state.href_text),
    )
    return columns, state.elements
