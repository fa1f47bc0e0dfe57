"""What visiting articles again has cost a source so far, and what it has brought."""

from collections import Counter

from broadsheet.archive import REQUESTS_KEPT
from broadsheet.base import counter_names
from broadsheet.base.counters import Counters

#: What is expected of an occasion weighs as much as visits that have found this many revisions.
PRIOR_FINDS = 10


class RevisitTally:
    """Counts for one source: its other requests, and by occasion the visits to articles again and the revisions found.

    An occasion is what led to a visit, such as a changed headline, or the time since the article was published.
    """

    def __init__(self, pool: "RevisitTally | None" = None) -> None:
        """Begin with nothing; `pool` counts for all sources, and says what to expect of this one."""
        self._pool = pool
        self.other_requests = 0
        self.visits: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        #: Visits that are planned: they are as good as spent.
        self.planned = 0

    def add(self, counted: Counters) -> None:
        """Add what the archive counted in earlier crawls."""
        for what, number in counted:
            if what.name == counter_names.REVISITS:
                self.visits[what.reason or ""] += number
            elif what.name == counter_names.REVISIONS:
                self.found[what.reason or ""] += number
        self.other_requests += max(0, counted.total(REQUESTS_KEPT) - self.visits.total())

    def visit(self, occasion: str, requests: int) -> None:
        """Count the requests of a visit to an article again."""
        self.visits[occasion] += requests
        if self._pool is not None:
            self._pool.visit(occasion, requests)

    def find(self, occasion: str) -> None:
        """Count a revision that was found."""
        self.found[occasion] += 1
        if self._pool is not None:
            self._pool.find(occasion)

    @property
    def spent(self) -> float:
        """The visits to articles again, made and planned, as a share of all other requests."""
        return (self.visits.total() + self.planned) / max(1, self.other_requests)

    def yield_of(self, occasion: str, expected: float) -> float:
        """Return the share of the visits on an occasion that find a revision.

        `expected` is what it is anywhere; what other sources have shown outweighs it, and what this one has shown both.
        """
        before = expected if self._pool is None else self._pool.yield_of(occasion, expected)
        return (self.found[occasion] + PRIOR_FINDS) / (self.visits[occasion] + PRIOR_FINDS / before)
