"""When a page has come to rest."""

from typing import NamedTuple

#: Pages that keep asking the network for news are finished when only the DOM rests, but this much longer.
DOM_ALONE = 4


class Shape(NamedTuple):
    """What changes as a page is written: whether it came in whole, its elements and the length of its text."""

    is_parsed: bool = False
    elements: int = 0
    text: int = 0


class Stillness:
    """Keeps when the DOM and the network last stirred; a clock that ticks in the page is no stir."""

    def __init__(self, quiet_seconds: float, now: float) -> None:
        """Begin to watch for so many seconds without a stir."""
        self._quiet_seconds = quiet_seconds
        self._pending: set[object] = set()
        self._network_since = now
        self._dom_since = now
        self._shape = Shape()

    def request_began(self, request: object, now: float) -> None:
        """Note a request."""
        self._pending.add(request)
        self._network_since = now

    def request_ended(self, request: object, now: float) -> None:
        """Note that a request was answered or failed."""
        self._pending.discard(request)
        self._network_since = now

    def dom_seen(self, shape: Shape, now: float) -> None:
        """Note how the page looks."""
        if shape != self._shape:
            self._shape = shape
            self._dom_since = now

    def reached(self, now: float) -> bool:
        """Say whether the page rests."""
        if not self._shape.is_parsed:
            return False
        dom_quiet = now - self._dom_since
        network_quiet = 0.0 if self._pending else now - self._network_since
        both_quiet = min(dom_quiet, network_quiet)
        return both_quiet >= self._quiet_seconds or dom_quiet >= self._quiet_seconds * DOM_ALONE
