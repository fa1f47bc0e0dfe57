"""Stop a crawl early: from `decide`, from a signal handler, or from another thread."""

from collections.abc import Callable
from enum import IntEnum


class Ending(IntEnum):
    """How a crawl is to end, in order of urgency."""

    BY_ITSELF = 0
    FINISH = 1
    NOW = 2


class Stop:
    """A one-way switch that a crawl listens to; it uses no lock, so it is safe in a signal handler."""

    def __init__(self) -> None:
        """Start with a crawl that ends by itself."""
        self.ending = Ending.BY_ITSELF
        self._listeners: list[Callable[[Ending], None]] = []

    def finish(self) -> None:
        """Start no new requests; those in flight are completed and reported."""
        self._advance(Ending.FINISH)

    def now(self) -> None:
        """Abort everything at once."""
        self._advance(Ending.NOW)

    def add_listener(self, listener: Callable[[Ending], None]) -> None:
        """Call a listener on every step, and at once if one was taken already, in the thread that takes the step."""
        self._listeners.append(listener)
        if self.ending:
            listener(self.ending)

    def remove_listener(self, listener: Callable[[Ending], None]) -> None:
        """Remove a listener."""
        self._listeners.remove(listener)

    def _advance(self, ending: Ending) -> None:
        if ending > self.ending:
            self.ending = ending
            for listener in tuple(self._listeners):
                listener(ending)
