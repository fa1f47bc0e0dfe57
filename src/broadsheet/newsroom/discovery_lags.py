"""How long after their publication the articles of a source are usually found."""

from collections import deque
from datetime import timedelta

#: An article that is older than this when it is found, more than is usual for its source, has not come just now.
OLD = timedelta(days=3)
#: The lags between publication and discovery that say what is usual for a source: the shortest of them but one, or one
#: in so many of the shortest. What is new may be rare among old articles that every page shows others of.
LAGS, MIN_LAGS, SHORTEST_LAGS = 256, 8, 32


class DiscoveryLags:
    """Remembers the last lags between publication and discovery, source by source."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lags: dict[str, deque[timedelta]] = {}

    def is_late(self, source: str, lag: timedelta) -> bool:
        """Remember how long after its publication an article was found; return whether that is long for its source."""
        lags = self._lags.setdefault(source, deque(maxlen=LAGS))
        before = tuple(lags)
        lags.append(lag)
        # Most are found soon, and need no look at all the others.
        if len(lags) < MIN_LAGS or lag <= min(timedelta(), *before) + OLD:
            return False
        # The clock of a source may be wrong, or its dates may have no time.
        shortest = max(1, len(before) // SHORTEST_LAGS)
        usual = sorted(before)[shortest] if len(before) >= MIN_LAGS else timedelta()
        return lag > usual + OLD
