"""Time that goes by only when everybody waits: a month takes as long as the work in it."""

import asyncio
import selectors
from datetime import UTC, datetime, timedelta
from typing import Any


class VirtualClock:
    """A clock that a virtual loop moves; it can go through several crawls, one after the other."""

    def __init__(self, start: datetime) -> None:
        """Set the clock to an aware datetime."""
        if start.tzinfo is None:
            raise ValueError("a clock needs a datetime with an offset")
        self._start = start.astimezone(UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        """Return the time the clock has come to, in UTC."""
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Return the seconds since the clock was set."""
        return self._elapsed

    def wait(self, span: timedelta) -> float:
        """Return the span itself: the loop's seconds are this clock's."""
        return span.total_seconds()

    def skip(self, seconds: float) -> None:
        """Move the clock forward."""
        if seconds < 0:
            raise ValueError(f"a clock only goes forward, not by {seconds} seconds")
        self._elapsed += seconds


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer instead of sleeping."""

    def __init__(self, clock: VirtualClock) -> None:
        """Make a loop that tells and moves the time of a clock."""
        self._virtual_clock = clock
        super().__init__(_SkippingSelector(clock))

    def time(self) -> float:
        """Return the clock's seconds."""
        return self._virtual_clock.monotonic()


class _SkippingSelector(selectors.DefaultSelector):
    """Finds what is ready without waiting, and lets the time that was to be waited go by."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        # Without any timer only another thread can bring something, and that takes real time.
        ready = super().select(None if timeout is None else 0)
        if timeout and not ready:
            self._clock.skip(timeout)
        return ready
