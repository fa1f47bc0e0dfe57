"""The computed styles of a page's text, as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import TEXT_SLOT, Ints
from broadsheet.document.styles._computing import Look
from broadsheet.document.styles.caps import StyleDrops, StyleLimits
from broadsheet.document.styles.cascade import Cascade
from broadsheet.document.styles.families import generic
from broadsheet.document.styles.sheets import Loader

if TYPE_CHECKING:
    from broadsheet.document.document import Document

DEFAULT_LIMITS = StyleLimits()
#: Text of this weight or more is bold.
BOLD = 600


@dataclass(frozen=True, eq=False)
class Styles:
    """One row per requested text piece."""

    #: The row of the piece.
    piece: Ints
    #: The font size in px.
    size: NDArray[np.float32]
    #: The colour of the text as 0xRRGGBB, without transparency.
    colour: Ints
    #: A `Family`.
    family: NDArray[np.int8]
    bold: NDArray[np.bool_]
    #: Whether a browser without scripts hides the text.
    hidden: NDArray[np.bool_]
    #: How much of the page's style sheets was dropped, by reason.
    dropped: Mapping[str, int]

    def __post_init__(self) -> None:
        """Make the columns read-only, because threads and cached results share them."""
        for field in fields(self):
            column = getattr(self, field.name)
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    def __len__(self) -> int:
        """Return the number of requested pieces."""
        return len(self.piece)

    @cached_property
    def relative_size(self) -> NDArray[np.float32]:
        """The size divided by the largest visible size."""
        visible = self.size[~self.hidden]
        largest = float(visible.max(initial=0)) or float(self.size.max(initial=0)) or 1.0
        return self.size / np.float32(largest)

    @cached_property
    def group(self) -> Ints:
        """A group number, shared by the pieces of equal size, colour, family and boldness."""
        keys = np.empty(len(self), [("size", "f4"), ("colour", "i4"), ("family", "i1"), ("bold", "?")])
        keys["size"], keys["colour"], keys["family"], keys["bold"] = self.size, self.colour, self.family, self.bold
        return np.unique(keys, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def alike(self) -> Ints:
        """The number of pieces that look the same, including the piece itself."""
        return np.bincount(self.group, minlength=1)[self.group].astype(np.int32)


def read_styles(
    document: "Document",
    loader: Loader | None = None,
    pieces: Sequence[int] | Ints | None = None,
    limits: StyleLimits = DEFAULT_LIMITS,
) -> Styles:
    """Compute the styles of a document's text pieces, or only of the given ones, which is faster.

    `loader` returns the text of a linked style sheet, given its URL; without one, only the page itself is read. No
    content of a page or sheet raises: anything beyond the `limits` or not understood is counted in `dropped`.
    """
    ledger = StyleDrops(limits)
    cascade = Cascade(document, loader, ledger)
    rows: Ints = np.asarray(range(len(document.pieces)) if pieces is None else pieces, np.int32)
    owner = document.pieces.owner[rows]
    # A tail belongs to the parent of the element that it follows.
    container = np.where(document.pieces.slot[rows] == TEXT_SLOT, owner, document.nodes.parent[owner])
    # Most pieces share their look with others.
    looks: dict[Look, int] = {}
    places = [looks.setdefault(look, len(looks)) for look in cascade.looks(container)]
    of_piece = np.array(places, np.intp)
    return Styles(
        piece=rows,
        size=np.array([look.shown_size for look in looks], np.float32)[of_piece],
        colour=np.array([look.colour for look in looks], np.int32)[of_piece],
        family=np.array([generic(look.family) for look in looks], np.int8)[of_piece],
        bold=np.array([look.weight >= BOLD for look in looks], np.bool_)[of_piece],
        hidden=np.array([_is_hidden(look) for look in looks], np.bool_)[of_piece],
        dropped=MappingProxyType(dict(ledger.dropped)),
    )


def _is_hidden(look: Look) -> bool:
    return look.display_none or look.hides_content or not look.visible
