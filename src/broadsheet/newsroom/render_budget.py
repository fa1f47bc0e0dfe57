"""How many pages of a source a browser may render: an hourly budget that fills up again all the time."""

from datetime import datetime

HOUR = 3600.0


class RenderBudget:
    """The pages that each source has left."""

    def __init__(self, per_hour: int) -> None:
        """Begin with a full hour's budget for every source."""
        self._per_hour = float(per_hour)
        self._left: dict[str, tuple[float, datetime]] = {}

    def take(self, source: str, now: datetime) -> bool:
        """Take one page from a source's budget, and return whether there was one left."""
        left, at = self._left.get(source, (self._per_hour, now))
        earned = max(0.0, (now - at).total_seconds()) / HOUR * self._per_hour
        left = min(self._per_hour, left + earned)
        self._left[source] = (left - 1 if left >= 1 else left), max(at, now)
        return left >= 1
