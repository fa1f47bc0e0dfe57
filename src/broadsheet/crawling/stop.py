"""Ending a crawl before its time: from `decide`, from a signal handler, or from another thread."""

from collections.abc import Callable
from enum import IntEnum


class Ending(IntEnum):
    """How a crawl is to end, the more pressing the higher."""

    BY_ITSELF = 0
    FINISH = 1
    NOW = 2


class Stop:
    """A switch that one crawl listens to; it only goes forward, and no lock in it could hold up a signal handler."""

    def __init__(self) -> None:
        """Begin with a crawl that ends by itself."""
        self.ending = Ending.BY_ITSELF
        self._listeners: list[Callable[[Ending], None]] = []

    def finish(self) -> None:
        """Start nothing new; what is in flight comes to its end and is told, but brings no new requests."""
        self._go(Ending.FINISH)

    def now(self) -> None:
        """Drop everything at once."""
        self._go(Ending.NOW)

    def listen(self, listener: Callable[[Ending], None]) -> None:
        """Tell a crawl of every step, also of one already taken; it is called in whichever thread takes the step."""
        self._listeners.append(listener)
        if self.ending:
            listener(self.ending)

    def forget(self, listener: Callable[[Ending], None]) -> None:
        """Tell a crawl that has ended nothing more."""
        self._listeners.remove(listener)

    def _go(self, ending: Ending) -> None:
        if ending > self.ending:
            self.ending = ending
            for listener in tuple(self._listeners):
                listener(ending)
