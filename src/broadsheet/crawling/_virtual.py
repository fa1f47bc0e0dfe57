"""Virtual time, which advances only when all tasks are waiting: a simulated month takes as long as the work in it."""

import asyncio
import selectors
from collections.abc import Callable, Collection
from contextvars import Context
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVarTuple

Arguments = TypeVarTuple("Arguments")


class VirtualClock:
    """A clock that a virtual loop advances; several crawls can use it one after the other."""

    def __init__(self, start: datetime) -> None:
        """Start the clock at an aware datetime."""
        if start.tzinfo is None:
            raise ValueError("the start of a VirtualClock must be an aware datetime (one with tzinfo)")
        self._start = start.astimezone(UTC)
        self._elapsed = 0.0
        #: The current time, as soon as somebody has asked for it: it is asked for several times at each moment.
        self._now: datetime | None = None

    def now(self) -> datetime:
        """Return the current virtual time, in UTC."""
        if self._now is None:
            self._now = self._start + timedelta(seconds=self._elapsed)
        return self._now

    def monotonic(self) -> float:
        """Return the seconds since the start."""
        return self._elapsed

    def real_seconds(self, span: timedelta) -> float:
        """Return the span in seconds: the loop runs on this clock."""
        return span.total_seconds()

    def advance(self, seconds: float) -> None:
        """Advance the clock."""
        if seconds < 0:
            raise ValueError(f"a clock cannot advance by a negative time ({seconds} seconds)")
        self._elapsed += seconds
        self._now = None


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer instead of sleeping.

    Time stands still while tasks in `holders` wait: what they wait for happens outside, and how long it really takes
    must not change what a simulation does. So they must not sleep.
    """

    def __init__(self, clock: VirtualClock, holders: Collection["asyncio.Task[Any]"] = ()) -> None:
        """Create a loop that runs on a clock."""
        self._virtual_clock = clock
        self._holders = holders
        super().__init__(_SkippingSelector(clock, holders))

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._virtual_clock.monotonic()

    def call_at(
        self,
        when: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Set a timer; a task that holds the time would wait for it forever."""
        if when > self.time() and asyncio.current_task(self) in self._holders:
            raise RuntimeError("an asynchronous decide cannot sleep in a simulated crawl: its clock stands still")
        return super().call_at(when, callback, *args, context=context)


class _SkippingSelector(selectors.DefaultSelector):
    """Poll without blocking, and advance the clock by the timeout instead."""

    def __init__(self, clock: VirtualClock, holders: Collection["asyncio.Task[Any]"]) -> None:
        super().__init__()
        self._clock = clock
        self._holders = holders

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        # Without a timer, or while time stands still, only another thread can wake the loop, so wait in real time.
        stands_still = timeout is None or (timeout > 0 and bool(self._holders))
        ready = super().select(None if stands_still else 0)
        if timeout and not ready and not stands_still:
            self._clock.advance(timeout)
        return ready
