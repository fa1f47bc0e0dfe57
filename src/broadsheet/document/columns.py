"""The page as columns: what the walk over the tree leaves behind, read-only because threads share it.

Nodes are the elements and comments in document order (preorder), so the subtree of node `i` is the slice
`[i, nodes.end[i])`. Text lies in one UTF-8 buffer in the same order, so the text of a subtree is one slice of it, and
the text pieces of a subtree are one slice of the pieces. Whatever is summed over subtrees is a difference of two
prefix sums, for all nodes at once.
"""

from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.tags import CODES, NAMES

Ints: TypeAlias = NDArray[np.int32]

TEXT_SLOT, TAIL_SLOT = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """One row per element or comment, in document order."""

    #: Code of the name, see `tags`.
    tag: Ints
    #: Row of the parent, -1 for the root.
    parent: Ints
    #: The subtree is `[row, end[row])`.
    end: Ints
    #: Levels below the root.
    depth: Ints
    #: The bytes of the text buffer inside the subtree, white space included: `[text_start, text_end)`.
    text_start: Ints
    text_end: Ints
    #: The text pieces inside the subtree: `[piece_start, piece_end)`.
    piece_start: Ints
    piece_end: Ints

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.tag)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """One row per piece of visible text between two tags, in document order."""

    #: The element whose text or tail the piece is.
    owner: Ints
    #: `TEXT_SLOT` or `TAIL_SLOT`.
    slot: Ints
    #: The piece's bytes in the text buffer: `[start, end)`.
    start: Ints
    end: Ints
    #: The nearest enclosing `a` or `area` with an `href`, -1 outside links.
    link: Ints
    #: The nearest enclosing element that breaks the line.
    block: Ints
    #: Pieces on one line, with no such element's beginning or end, `br` or `hr` between them, share this number.
    line: Ints

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.owner)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Prefix sums over the pieces: row `k` holds the sum over the first `k` of them."""

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
    #: The `href` as written, in the buffer of hrefs: `[start, end)`.
    start: Ints
    end: Ints
    #: A hash of the element's first class, which tells links of different looks apart.
    style: Ints

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """One row per word in an element's `class`, `id`, `role` or `itemprop`, in document order."""

    text: bytes
    node: Ints
    #: Index into `KINDS`.
    kind: Ints
    #: The token's bytes in `text`: `[start, end)`.
    start: Ints
    end: Ints

    #: The attributes that hold tokens.
    KINDS: ClassVar[tuple[str, ...]] = ("class", "id", "role", "itemprop")

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.node)

    def token(self, row: int) -> str:
        """Return one token."""
        return self.text[self.start[row] : self.end[row]].decode()


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Everything that one walk over a tree gives."""

    nodes: Nodes
    pieces: Pieces
    sums: Sums
    hrefs: Hrefs
    text: bytes
    href_text: bytes

    def text_of(self, node: int) -> str:
        """Return the text of a node's subtree as it stands in the page, white space included."""
        return self.text[self.nodes.text_start[node] : self.nodes.text_end[node]].decode()

    def rows(self, *names: str) -> Ints:
        """Return the rows of the elements with one of these names, in document order."""
        wanted = np.zeros(len(NAMES), np.bool_)
        wanted[[CODES[name] for name in names]] = True
        return np.flatnonzero(wanted[self.nodes.tag]).astype(np.int32)


def differing(one: Columns, other: Columns) -> list[str]:
    """Return the names of the columns in which two walks over the same tree differ."""
    names = [
        f"{table}.{field.name}"
        for table in ("nodes", "pieces", "sums", "hrefs")
        for field in fields(getattr(one, table))
        if not np.array_equal(getattr(getattr(one, table), field.name), getattr(getattr(other, table), field.name))
    ]
    names += [name for name in ("text", "href_text") if getattr(one, name) != getattr(other, name)]
    return names
