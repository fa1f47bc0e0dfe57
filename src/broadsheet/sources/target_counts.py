"""What is counted of each page that a source links to; the temporal features follow from these columns alone."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Doubles = NDArray[np.float64]

#: Referring pages count as recent if they began to link to a target within this many snapshots.
RECENT_SNAPSHOTS = 6


@dataclass(frozen=True, slots=True, eq=False)
class TargetCounts:
    """One row per page of a source: those that were linked to and those that were fetched.

    Times are seconds since 1970; they are NaN for a page that nothing links to.
    """

    keys: Sequence[str]
    #: The number of snapshots so far, and the time of the newest visit.
    total_snapshots: int
    now: float
    #: Snapshots in which a fetched page links to the target.
    linked_snapshots: Counts
    #: Snapshots in which a page was fetched that links to the target, then or at another time.
    possible_snapshots: Counts
    #: How often an occurrence was at another position than in the previous visit of its page, out of how many
    #: occurrences that both visits have.
    moves: Counts
    comparisons: Counts
    #: Pages that have ever linked to the target; those that began after its first snapshot; those that began lately.
    referrers: Counts
    later_referrers: Counts
    recent_referrers: Counts
    first_seen: Doubles
    last_seen: Doubles
    #: Successful visits to the page itself.
    visits: Counts
    #: The moves of all targets that the page has ever linked to.
    content_moves: Counts
    #: Distinct articles, by earlier verdicts, among the links of the page's newest visit; NaN if it was never fetched.
    article_links: Doubles
    #: Words in the longest text of the page that no tag interrupts; NaN if its content was not read.
    longest_text: Doubles

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.keys)

    def ordered(self) -> "TargetCounts":
        """Return the same rows in the order of their keys."""
        return self.chosen(np.array(sorted(range(len(self)), key=self.keys.__getitem__), np.intp))

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "TargetCounts":
        """Return some rows, given as their numbers or as a mask."""
        numbers = np.arange(len(self))[rows]
        columns = {
            field.name: value[numbers]
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), np.ndarray)
        }
        keys = [self.keys[row] for row in numbers.tolist()]
        return TargetCounts(keys=keys, total_snapshots=self.total_snapshots, now=self.now, **columns)
