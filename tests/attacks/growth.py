"""How the CPU time of something grows with the size of what it is given."""

import gc
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from math import isinf
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

#: What takes less than this is not looked at closer: linear scans of the largest inputs stay below.
WORTH_A_LOOK = 0.004
#: Four times the input may take four times as long, and somewhat more on a busy machine; quadratic means sixteen.
MAX_GROWTH = 9.0
#: What grew too fast has to do so in so many measurements: another process may have slowed one of them down.
MEASUREMENTS = 3
#: Nothing that is measured here takes a fraction of this, if it is linear.
LONGEST = 0.5


class TooLongError(Exception):
    """Raised in the middle of something that has used its share of CPU time."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what runs inside after so many seconds of CPU time; compiled code must look for signals, as `re` does."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Collect no garbage inside: among all that a run of tests has made, that takes longer than the work."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def seconds(act: Callable[[], object], *, tries: int = 1) -> float:
    """Return the least CPU time that `act` took, infinity where it was stopped."""
    taken = []
    for _ in range(tries):
        begin = time.thread_time()
        try:
            with _uncollected(), at_most(LONGEST):
                act()
        except TooLongError:
            return float("inf")
        taken.append(time.thread_time() - begin)
    return min(taken)


def superlinear(act: Callable[[T], object], make: Callable[[int], T], sizes: Iterable[int]) -> str | None:
    """Say how the time grew where it grew faster than the input, measured at a size and at a quarter of it."""
    for size in sizes:
        larger = partial(act, make(size))
        first = seconds(larger)
        if first < WORTH_A_LOOK:
            continue
        if isinf(first) and isinf(seconds(larger)):
            # No other process slows anything down that much, twice: to measure it again and again would take long.
            return f"more than {LONGEST:g} s for {size:,}"
        smaller = partial(act, make(size // 4))
        for _ in range(MEASUREMENTS):
            before, after = seconds(smaller, tries=3), seconds(larger, tries=2)
            if not isinf(after) and after <= max(WORTH_A_LOOK, MAX_GROWTH * before):
                break
        else:
            return f"{before:.4f} s for {size // 4:,}, {after:.4f} s for {size:,}"
    return None
