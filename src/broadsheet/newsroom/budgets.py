"""What a source may cost per hour, in requests and in bytes: a budget that fills up again all the time."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.base.quotas import Quotas
from broadsheet.base.source_settings import SourceSettings

HOUR = 3600.0


class SourceBudget:
    """The requests and bytes that a source has left; what it spends comes back within an hour."""

    def __init__(self, quotas: Quotas, now: datetime) -> None:
        """Begin with a full hour's budget."""
        self._most = (float(quotas.max_requests), float(quotas.max_bytes))
        self._left = list(self._most)
        self._at = now
        self._requests = self._received = 0

    def change(self, quotas: Quotas, now: datetime) -> None:
        """Take another budget; what was spent stays spent."""
        self._refill(now)
        most = (float(quotas.max_requests), float(quotas.max_bytes))
        self._left = [left + new - old for left, new, old in zip(self._left, most, self._most, strict=True)]
        self._most = most

    def spend(self, requests: int, received: int, now: datetime) -> None:
        """Take what a page has cost."""
        self._refill(now)
        self._left[0] -= requests
        self._left[1] -= received
        self._requests += requests
        self._received += received

    def wait(self, now: datetime, reserve: float = 0.0, pending: int = 0) -> timedelta:
        """Return how long to wait until more than a share of the budget is left, nothing if it is.

        Pending requests count before they are answered, with as many bytes each as there were so far on average.
        """
        self._refill(now)
        costs = (pending, pending * self._received / max(1, self._requests))
        lefts = [left - cost for left, cost in zip(self._left, costs, strict=True)]
        missing = max((reserve * most - left) / most for left, most in zip(lefts, self._most, strict=True))
        # At least one request must be left, not a fraction of one.
        missing = max(missing, (1 - lefts[0]) / self._most[0])
        return timedelta(seconds=max(0.0, missing * HOUR))

    def _refill(self, now: datetime) -> None:
        share = max(0.0, (now - self._at).total_seconds()) / HOUR
        self._left = [min(most, left + share * most) for left, most in zip(self._left, self._most, strict=True)]
        self._at = max(self._at, now)


def own_quotas(quotas: Quotas, settings: SourceSettings) -> Quotas:
    """Return the quotas of a source: those of all sources, unless it has a budget of its own."""
    return replace(
        quotas,
        max_requests=settings.requests_per_hour or quotas.max_requests,
        max_bytes=settings.bytes_per_hour or quotas.max_bytes,
    )
