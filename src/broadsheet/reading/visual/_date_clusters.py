"""Dates that a page shows close to each other, and the group of them that belongs to the title."""

from typing import Final

import numpy as np

from broadsheet.document.columns import Ints

#: Two dates belong together if at most this many other pieces are between them.
MAX_BETWEEN: Final = 2


def date_clusters(pieces: Ints) -> list[Ints]:
    """Divide the pieces of dates, in ascending order, into groups with short gaps."""
    if not len(pieces):
        return []
    return np.split(pieces, np.flatnonzero(np.diff(pieces) > MAX_BETWEEN + 1) + 1)


def nearest_cluster(pieces: Ints, title: int | None) -> Ints:
    """Return the group of dates with the smallest gap to the title, or all dates if there is no title to be near to."""
    groups = date_clusters(pieces)
    if title is None or not groups:
        return pieces
    return min(groups, key=lambda group: int(np.abs(group - title).min()))
