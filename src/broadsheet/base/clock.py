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

    def wait(self, span: timedelta) -> float:
        """Return the seconds that a span of this clock takes on the machine."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()

    def wait(self, span: timedelta) -> float:
        """Return the span itself: this is the machine's clock."""
        return span.total_seconds()


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

    def wait(self, span: timedelta) -> float:
        """Return nothing: the clock moves when it is told to, and not by waiting."""
        del span
        return 0.0

    def advance(self, step: timedelta) -> None:
        """Move the clock forward; time that goes back is a mistake of the caller."""
        if step < timedelta():
            raise ValueError(f"a clock only goes forward, not by {step}")
        self._elapsed += step


class AcceleratedClock:
    """A clock that runs faster or slower than another from a given start, to watch days go by in minutes."""

    def __init__(self, clock: Clock, start: datetime, speed: float, origin: float | None = None) -> None:
        """Begin at an aware datetime; one second of the other clock is `speed` seconds of this one.

        `origin` is what the other clock said at the start, where that was earlier than now: with it two
        processes have the same time.
        """
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with an offset")
        if not 0 < speed < math.inf:
            raise ValueError(f"a clock runs at a positive speed, not {speed}")
        self._clock = clock
        self.start = start.astimezone(UTC)
        self.origin = clock.monotonic() if origin is None else origin
        self.speed = speed

    def now(self) -> datetime:
        """Return the time this clock has come to, in UTC."""
        return self.start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        """Return the seconds that went by on this clock since its start."""
        return (self._clock.monotonic() - self.origin) * self.speed

    def wait(self, span: timedelta) -> float:
        """Return how long a span of this clock takes."""
        return self._clock.wait(span) / self.speed
