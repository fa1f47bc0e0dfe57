"""What text looks like: the nine attributes by which the visual reader tells titles and dates from the rest."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading._subtrees import Mask, differences
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.visual._edit_distance import edit_distance

#: By attribute number as published; the title is found by all but 8, the date by all but 9.
TITLE_ATTRIBUTES: Final = (
    "characters", "digits", "share of digits", "size", "relative size", "bold", "pieces alike", "distance to <title>",
)  # fmt: skip
DATE_ATTRIBUTES: Final = (*TITLE_ATTRIBUTES[:7], "pieces after the title")
#: What is compared with `<title>`, in characters; a text's further characters count as deleted.
MAX_TEXT, MAX_TITLE = 400, 300
#: Pairs of characters compared per page; beyond that, the distance of a text is unknown.
MAX_COMPARED: Final = 20_000_000
_DELETED: Final = 4
_TITLE: Final = CODES["title"]


class PieceLooks(NamedTuple):
    """The attributes of some pieces of a document: a row per piece."""

    #: The rows of the pieces in the document, ascending.
    pieces: Ints
    #: Attributes 1 to 7.
    shared: NDArray[np.float32]
    hidden: Mask


def measure_looks(document: Document, pieces: Ints) -> PieceLooks:
    """Return attributes 1 to 7 of some pieces; the page's other text is their yardstick."""
    styles = document.styles
    characters = differences(document.sums.characters).take(pieces).astype(np.float32)
    digits = differences(document.sums.digits).take(pieces).astype(np.float32)
    columns = (
        characters,
        digits,
        digits / np.maximum(characters, 1),
        styles.size.take(pieces),
        styles.relative_size.take(pieces),
        styles.bold.take(pieces),
        styles.alike.take(pieces),
    )
    return PieceLooks(pieces, np.stack(columns, axis=1).astype(np.float32), styles.hidden.take(pieces))


def title_rows(document: Document, looks: PieceLooks) -> NDArray[np.float32]:
    """Return the attributes of a title: 1 to 7, and 9, the distance to `<title>`, which is NaN if there is none."""
    return np.column_stack([looks.shared, _distances(document, looks.pieces)]).astype(np.float32)


def date_rows(looks: PieceLooks, title: int | None) -> NDArray[np.float32]:
    """Return the attributes of a date: 1 to 7, and 8, how far after the title a piece is, NaN if none was found."""
    after = looks.pieces - title if title is not None else np.full(len(looks.pieces), np.nan)
    return np.column_stack([looks.shared, after]).astype(np.float32)


def stated_title(document: Document) -> tuple[Ints, str]:
    """Return the pieces of the first `<title>` and its text; of a page without one, none and an empty text."""
    rows = np.flatnonzero(document.nodes.tag == _TITLE)[:1]
    first, end = (int(edge.take(rows).sum()) for edge in (document.nodes.piece_start, document.nodes.piece_end))
    pieces: Ints = np.arange(first, end, dtype=np.int32)
    return pieces, collapse("".join(map(document.piece_text, pieces.tolist())))


def _distances(document: Document, pieces: Ints) -> NDArray[np.float32]:
    """Return the weighted edit distance of each piece to `<title>`, divided by the length of `<title>`."""
    stated = stated_title(document)[1][:MAX_TITLE]
    if not stated:
        return np.full(len(pieces), np.nan, np.float32)
    # Menus and lists repeat texts.
    known: dict[str, float] = {}
    budget = MAX_COMPARED
    distances = np.empty(len(pieces), np.float32)
    for row, piece in enumerate(pieces.tolist()):
        text = collapse(document.piece_text(piece))
        if text not in known:
            budget -= min(len(text), MAX_TEXT) * len(stated)
            known[text] = distance_to_title(text, stated) if budget >= 0 else np.nan
        distances[row] = known[text]
    return distances


def distance_to_title(text: str, stated: str) -> float:
    """Return the weighted edit distance of a text to `<title>`, divided by the length of `<title>`."""
    stated = stated[:MAX_TITLE]
    beyond = max(len(text) - MAX_TEXT, 0)
    return (edit_distance(text[:MAX_TEXT], stated) + _DELETED * beyond) / len(stated)
