"""How pages are laid out, and which of them stand for most others.

A layout is what surrounds the text of a page: how long its pieces are, how much of the text is in links, how deep it
stands, in which elements. Pages with like layouts teach a reader much the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.tags import NAMES
from broadsheet.reading.piece_context import COLUMNS, VOTES, piece_context

Doubles = NDArray[np.float64]

_WITHOUT_VOTES = [
    place
    for place, name in enumerate(COLUMNS)
    if "votes" not in name and "body" not in name and name != "nearest distance"
]
#: How fast likeness falls with distance, in medians of all distances.
SHARPNESS = 4.0


def piece_features(document: Document) -> Doubles:
    """Return one row of features per piece of text, none of which depends on what any reader says."""
    size = len(document.pieces)
    rows = piece_context(document, np.zeros((size, len(VOTES)), np.float32), np.zeros(size, np.float32))
    return np.log1p(np.maximum(rows[:, _WITHOUT_VOTES], 0).astype(np.float64))


def layout(document: Document) -> Doubles:
    """Return means and deviations of the features of a page's text, and the shares of the text in each element."""
    if not len(document.pieces):
        return np.zeros(2 * len(_WITHOUT_VOTES) + len(NAMES))
    characters = np.diff(document.sums.characters).astype(np.float64)
    weights = characters / max(characters.sum(), 1)
    rows = piece_features(document)
    mean = weights @ rows
    deviation = np.sqrt(weights @ (rows - mean) ** 2)
    tags = np.bincount(document.nodes.tag[document.pieces.owner], weights, minlength=len(NAMES))
    return np.concatenate([mean, deviation, np.sqrt(tags)])


def likeness(layouts: Sequence[Doubles]) -> Doubles:
    """Return how alike each two of some pages are, from 0 to 1."""
    table = np.stack(layouts)
    measured = 2 * len(_WITHOUT_VOTES)
    spread = table[:, :measured].std(axis=0)
    table[:, :measured] /= np.maximum(spread, 1e-9) * np.sqrt(measured)
    squares = (table**2).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares - 2 * table @ table.T, 0)
    typical = float(np.median(distances))
    alike: Doubles = np.exp(-SHARPNESS * distances / typical) if typical else np.ones_like(distances)
    return alike


def covering_order(alike: Doubles, weights: Doubles, covered: Sequence[int] = (), most: int | None = None) -> list[int]:
    """Return pages in an order in which each adds most: it is like many others of high weight that no page before is.

    `covered` are pages that have been chosen already; they are left out.
    """
    best = alike[:, list(covered)].max(axis=1) if len(covered) else np.zeros(len(alike))
    is_open = np.ones(len(alike), np.bool_)
    is_open[list(covered)] = False
    order: list[int] = []
    while is_open.any() and (most is None or len(order) < most):
        gains = weights @ np.maximum(alike - best[:, None], 0)
        page = int(np.argmax(np.where(is_open, gains, -1)))
        order.append(page)
        is_open[page] = False
        best = np.maximum(best, alike[:, page])
    return order
