"""When a site's server is in trouble: on some days it fails or is slow for an hour."""

import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

TroubleKind = Literal["failing", "slow"]


@dataclass(frozen=True, slots=True)
class TroubleKnobs:
    """The shares of days with an hour in which the server fails (status 503), or needs so many `seconds` to answer."""

    failing: float = 0.0
    slow: float = 0.0
    seconds: float = 20.0

    def at(self, seed: str, moment: datetime) -> TroubleKind | None:
        """Return what is wrong with the server of a site at this time, if anything."""
        day, second = divmod(int(moment.timestamp()), 86_400)
        # A failing server is not slow as well.
        if _hour(f"{seed}/failing/{day}", self.failing) == second // 3600:
            return "failing"
        return "slow" if _hour(f"{seed}/slow/{day}", self.slow) == second // 3600 else None


def _hour(name: str, share: float) -> int | None:
    """Return the hour of trouble on a day, or None if it is not one of the share of days with trouble."""
    if share <= 0:
        return None
    drawn = zlib.crc32(name.encode()) / 2**32
    return int(drawn / share * 24) if drawn < share else None
