"""The time, passed in: nothing else in Broadsheet reads the wall clock, so any run can be replayed."""

import math
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time of day and measures how long things take."""

    def now(self) -> datetime:
        """Return the time as an aware datetime in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds since some fixed moment; the number never goes back."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()


class ManualClock:
    """A clock that stands still until it is told to move, for simulations and tests."""

    def __init__(self, start: datetime) -> None:
        """Set the clock to an aware datetime."""
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with an offset")
        self._start = start.astimezone(UTC)
        self._elapsed = timedelta()

    def now(self) -> datetime:
        """Return the time the clock stands at, in UTC."""
        return self._start + self._elapsed

    def monotonic(self) -> float:
        """Return the seconds the clock was moved since it was set."""
        return self._elapsed.total_seconds()

    def advance(self, step: timedelta) -> None:
        """Move the clock forward; time that goes back is a mistake of the caller."""
        if step < timedelta():
            raise ValueError(f"a clock only goes forward, not by {step}")
        self._elapsed += step


class AcceleratedClock:
    """A clock that runs faster or slower than another from a given start, to watch days go by in minutes."""

    def __init__(self, clock: Clock, start: datetime, speed: float) -> None:
        """Begin at an aware datetime; one second of the other clock is `speed` seconds of this one."""
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with an offset")
        if not 0 < speed < math.inf:
            raise ValueError(f"a clock runs at a positive speed, not {speed}")
        self._clock = clock
        self._start = start.astimezone(UTC)
        self._origin = clock.monotonic()
        self._speed = speed

    def now(self) -> datetime:
        """Return the time this clock has come to, in UTC."""
        return self._start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        """Return the seconds that went by on this clock since its start."""
        return (self._clock.monotonic() - self._origin) * self._speed
