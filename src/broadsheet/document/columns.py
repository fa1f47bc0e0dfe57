"""The page as columns: the result of parsing it, read-only so that threads can share it.

Nodes are the elements and comments in document order (preorder), so the subtree of node `i` is the slice
`[i, nodes.end[i])`. All text is in one UTF-8 buffer in the same order, so the text of a subtree is a slice of that
buffer, and its text pieces are a slice of the pieces. A sum over a subtree is the difference of two prefix sums, which
numpy computes for all nodes at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.lazy import lazy
from broadsheet.document import _attribute_names
from broadsheet.document._attributes import Attributes
from broadsheet.document._tag_rows import sort_by_tag
from broadsheet.document.tags import CODES, NAMES

Ints: TypeAlias = NDArray[np.int32]

TEXT_SLOT, TAIL_SLOT = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """One row per element or comment, in document order."""

    #: The code of the tag name, see `tags`.
    tag: Ints
    #: The row of the parent, -1 for the root.
    parent: Ints
    #: The subtree is `[row, end[row])`.
    end: Ints
    #: Levels below the root.
    depth: Ints
    #: The subtree's bytes in the text buffer, including white space: `[text_start, text_end)`.
    text_start: Ints
    text_end: Ints
    #: The subtree's text pieces: `[piece_start, piece_end)`.
    piece_start: Ints
    piece_end: Ints

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.tag)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """One row per piece of visible text between two tags, in document order."""

    #: The node whose text or tail the piece is.
    owner: Ints
    #: `TEXT_SLOT` or `TAIL_SLOT`.
    slot: Ints
    #: The piece's bytes in the text buffer: `[start, end)`.
    start: Ints
    end: Ints
    #: The nearest enclosing `a` or `area` with an `href`, -1 outside links.
    link: Ints
    #: The nearest enclosing block element.
    block: Ints
    #: The line number; pieces share it unless a block's start or end, a `br` or an `hr` is between them.
    line: Ints

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.owner)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Prefix sums over the pieces: row `k` holds the sum over the first `k` pieces."""

    characters: Ints
    words: Ints
    letters: Ints
    upper: Ints
    digits: Ints
    punctuation: Ints
    #: Characters inside links.
    link_characters: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Hrefs:
    """One row per `a` or `area` with an `href`, in document order."""

    node: Ints
    #: The `href` as written: `[start, end)` in the buffer of hrefs.
    start: Ints
    end: Ints
    #: A hash of the element's first class, which distinguishes links that look different.
    style: Ints

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """One row per token in an element's `class`, `id`, `role` or `itemprop`, in document order."""

    text: bytes
    node: Ints
    #: Index into `KINDS`.
    kind: Ints
    #: The token's bytes: `[start, end)` in `text`.
    start: Ints
    end: Ints

    #: The attributes that hold tokens.
    KINDS: ClassVar[tuple[str, ...]] = _attribute_names.TOKENS

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.node)

    def token(self, row: int) -> str:
        """Return one token."""
        return self.text[self.start[row] : self.end[row]].decode()


@dataclass(frozen=True, slots=True, eq=False)
class NodeTexts:
    """The texts of a few nodes, one row each, in document order."""

    text: bytes
    node: Ints
    #: The node's bytes: `[start, end)` in `text`.
    start: Ints
    end: Ints

    def items(self) -> Iterator[tuple[int, str]]:
        """Yield each node with its text."""
        for node, start, end in zip(self.node.tolist(), self.start.tolist(), self.end.tolist(), strict=True):
            yield node, self.text[start:end].decode()

    def of(self, node: int) -> str:
        """Return the text of one of the nodes."""
        row = int(self.node.searchsorted(node))
        return self.text[self.start[row] : self.end[row]].decode()


@dataclass(frozen=True, eq=False)
class Columns:
    """Everything that parsing a page produces."""

    nodes: Nodes
    pieces: Pieces
    sums: Sums
    hrefs: Hrefs
    attributes: Attributes
    #: The names of the elements that are not part of HTML.
    unknown: NodeTexts
    #: The scripts that are JSON-LD, the only ones that are read.
    json_ld: NodeTexts
    text: bytes
    href_text: bytes

    def text_of(self, node: int) -> str:
        """Return the text of a node's subtree as written, including white space."""
        return self.text[self.nodes.text_start.item(node) : self.nodes.text_end.item(node)].decode()

    def rows(self, *names: str) -> Ints:
        """Return the rows of the elements with one of these names, in document order."""
        rows, begin = self._by_tag
        if len(names) == 1:
            code = CODES[names[0]]
            return rows[begin[code] : begin[code + 1]]
        found: Ints = np.concatenate([rows[begin[code] : begin[code + 1]] for code in map(CODES.__getitem__, names)])
        found.sort()
        return found

    @lazy
    def _by_tag(self) -> tuple[Ints, list[int]]:
        # Elements are looked for by name many times, and searching the whole column each time took longer.
        return sort_by_tag(self.nodes.tag, len(NAMES))


def differing_columns(first: Columns, second: Columns) -> list[str]:
    """Return the names of the columns in which two parses of the same page differ."""
    names = [
        f"{table}.{field.name}"
        for table in ("nodes", "pieces", "sums", "hrefs", "unknown", "json_ld")
        for field in fields(getattr(first, table))
        if not np.array_equal(getattr(getattr(first, table), field.name), getattr(getattr(second, table), field.name))
    ]
    pairs = zip(first.attributes.columns, second.attributes.columns, strict=True)
    if first.attributes.text != second.attributes.text or not all(np.array_equal(*pair) for pair in pairs):
        names.append("attributes")
    names += [name for name in ("text", "href_text") if getattr(first, name) != getattr(second, name)]
    return names
