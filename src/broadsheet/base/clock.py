"""The time, passed in: nothing else in Broadsheet reads the wall clock, so any run can be replayed."""

import math
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time of day and measures durations."""

    def now(self) -> datetime:
        """Return the time as an aware datetime in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds since some fixed moment; they never decrease."""
        ...

    def real_seconds(self, span: timedelta) -> float:
        """Return how many real seconds a span of this clock takes."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()

    def real_seconds(self, span: timedelta) -> float:
        """Return the span itself: this clock runs in real time."""
        return span.total_seconds()


class ManualClock:
    """A clock that moves only when advanced, for simulations and tests."""

    def __init__(self, start: datetime) -> None:
        """Set the clock to an aware datetime."""
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with a UTC offset")
        self._start = start.astimezone(UTC)
        self._elapsed = timedelta()

    def now(self) -> datetime:
        """Return the clock's current time in UTC."""
        return self._start + self._elapsed

    def monotonic(self) -> float:
        """Return the seconds by which the clock has been advanced."""
        return self._elapsed.total_seconds()

    def real_seconds(self, span: timedelta) -> float:
        """Return zero: only `advance` moves this clock."""
        del span
        return 0.0

    def advance(self, step: timedelta) -> None:
        """Move the clock forward; a negative step is an error."""
        if step < timedelta():
            raise ValueError(f"a clock can only move forward, not by {step}")
        self._elapsed += step


class AcceleratedClock:
    """A clock that runs faster or slower than another from a given start, to simulate days in minutes."""

    def __init__(self, clock: Clock, start: datetime, speed: float, origin: float | None = None) -> None:
        """Start at an aware datetime; one second of the other clock is `speed` seconds of this one.

        `origin` is the other clock's monotonic time at the start, if that lies in the past: it lets two processes
        share one time.
        """
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with a UTC offset")
        if not 0 < speed < math.inf:
            raise ValueError(f"a clock needs a positive, finite speed, not {speed}")
        self._clock = clock
        self.start = start.astimezone(UTC)
        self.origin = clock.monotonic() if origin is None else origin
        self.speed = speed

    def now(self) -> datetime:
        """Return this clock's current time in UTC."""
        return self.start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        """Return the seconds elapsed on this clock since its start."""
        return (self._clock.monotonic() - self.origin) * self.speed

    def real_seconds(self, span: timedelta) -> float:
        """Return how many real seconds a span of this clock takes."""
        return self._clock.real_seconds(span) / self.speed
