"""What a source may cost per hour, in requests and in bytes: a budget that fills up again all the time."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.base.quotas import Quotas
from broadsheet.base.source_settings import SourceSettings

HOUR = 3600.0
_NO_TIME = timedelta()


class SourceBudget:
    """The requests and bytes that a source has left; what it spends comes back within an hour."""

    def __init__(self, quotas: Quotas, now: datetime) -> None:
        """Begin with a full hour's budget."""
        self._most_requests, self._most_bytes = float(quotas.max_requests), float(quotas.max_bytes)
        self._requests_left, self._bytes_left = self._most_requests, self._most_bytes
        self._at = now
        self._requests = self._received = 0

    def change(self, quotas: Quotas, now: datetime) -> None:
        """Take another budget; what was spent stays spent."""
        self._refill(now)
        self._requests_left += quotas.max_requests - self._most_requests
        self._bytes_left += quotas.max_bytes - self._most_bytes
        self._most_requests, self._most_bytes = float(quotas.max_requests), float(quotas.max_bytes)

    def spend(self, requests: int, received: int, now: datetime) -> None:
        """Take what a page has cost."""
        self._refill(now)
        self._requests_left -= requests
        self._bytes_left -= received
        self._requests += requests
        self._received += received

    def wait(self, now: datetime, reserve: float = 0.0, pending: int = 0) -> timedelta:
        """Return how long to wait until more than a share of the budget is left, nothing if it is.

        Pending requests count before they are answered, with as many bytes each as there were so far on average.
        """
        self._refill(now)
        requests = self._requests_left - pending
        received = self._bytes_left - pending * self._received / max(1, self._requests)
        # At least one request must be left, not a fraction of one.
        missing_requests = max(reserve * self._most_requests, 1.0) - requests
        missing_bytes = reserve * self._most_bytes - received
        if missing_requests <= 0 and missing_bytes <= 0:
            return _NO_TIME
        return timedelta(seconds=HOUR * max(missing_requests / self._most_requests, missing_bytes / self._most_bytes))

    def _refill(self, now: datetime) -> None:
        if now <= self._at:
            return
        share = (now - self._at).total_seconds() / HOUR
        self._requests_left = min(self._most_requests, self._requests_left + share * self._most_requests)
        self._bytes_left = min(self._most_bytes, self._bytes_left + share * self._most_bytes)
        self._at = now


def own_quotas(quotas: Quotas, settings: SourceSettings) -> Quotas:
    """Return the quotas of a source: those of all sources, unless it has a budget of its own."""
    return replace(
        quotas,
        max_requests=settings.requests_per_hour or quotas.max_requests,
        max_bytes=settings.bytes_per_hour or quotas.max_bytes,
    )
