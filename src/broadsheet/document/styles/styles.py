"""The looks of a page's text, as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import TEXT_SLOT, Ints
from broadsheet.document.styles.caps import StyleDrops, StyleLimits
from broadsheet.document.styles.cascade import Cascade
from broadsheet.document.styles.families import generic
from broadsheet.document.styles.gathering import Loader

if TYPE_CHECKING:
    from broadsheet.document.document import Document

DEFAULT_LIMITS = StyleLimits()
#: Text of this weight or more is bold.
BOLD = 600


@dataclass(frozen=True, eq=False)
class Styles:
    """One row per text piece asked for."""

    #: Row of the piece.
    piece: Ints
    #: Font size in px.
    size: NDArray[np.float32]
    #: Colour of the text, 0xRRGGBB; how far it is transparent does not count.
    colour: Ints
    #: A `Family`.
    family: NDArray[np.int8]
    bold: NDArray[np.bool_]
    #: Whether a browser that runs no scripts does not show the text.
    hidden: NDArray[np.bool_]
    #: What was left out of the page's sheets, by reason.
    dropped: Mapping[str, int]

    def __post_init__(self) -> None:
        """Make the columns read-only, because threads and cached results share them."""
        for field in fields(self):
            column = getattr(self, field.name)
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    def __len__(self) -> int:
        """Return the number of pieces asked for."""
        return len(self.piece)

    @cached_property
    def relative_size(self) -> NDArray[np.float32]:
        """The size as a share of the largest that can be seen."""
        seen = self.size[~self.hidden]
        largest = float(seen.max(initial=0)) or float(self.size.max(initial=0)) or 1.0
        return self.size / np.float32(largest)

    @cached_property
    def group(self) -> Ints:
        """A number that pieces share when size, colour, family and bold are the same."""
        keys = np.empty(len(self), [("size", "f4"), ("colour", "i4"), ("family", "i1"), ("bold", "?")])
        keys["size"], keys["colour"], keys["family"], keys["bold"] = self.size, self.colour, self.family, self.bold
        return np.unique(keys, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def alike(self) -> Ints:
        """How many pieces, itself among them, look the same."""
        return np.bincount(self.group, minlength=1)[self.group].astype(np.int32)


def read_styles(
    document: "Document",
    loader: Loader | None = None,
    pieces: Sequence[int] | Ints | None = None,
    limits: StyleLimits = DEFAULT_LIMITS,
) -> Styles:
    """Return the looks of a document's text pieces, or of some of them, which costs only those.

    `loader` gives the text of a linked sheet by its address; without one only the page itself is read. Nothing in
    a page or a sheet raises: what lies beyond the `limits` or is not understood is counted in `dropped`.
    """
    ledger = StyleDrops(limits)
    cascade = Cascade(document, loader, ledger)
    wanted: Ints = np.asarray(range(len(document.pieces)) if pieces is None else pieces, np.int32)
    owner = document.pieces.owner[wanted]
    # A tail stands inside the parent of the element that it follows.
    holder = np.where(document.pieces.slot[wanted] == TEXT_SLOT, owner, document.nodes.parent[owner])
    looks = cascade.looks(holder)
    return Styles(
        piece=wanted,
        size=np.array([look.shown_size for look in looks], np.float32),
        colour=np.array([look.colour for look in looks], np.int32),
        family=np.array([generic(look.family) for look in looks], np.int8),
        bold=np.array([look.weight >= BOLD for look in looks], np.bool_),
        hidden=np.array([look.gone or look.shut or not look.visible for look in looks], np.bool_),
        dropped=MappingProxyType(dict(ledger.dropped)),
    )
