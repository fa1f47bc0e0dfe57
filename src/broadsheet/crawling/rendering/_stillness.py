"""Detect when a page has settled."""

from typing import NamedTuple

#: A page that keeps polling the network is settled once its DOM has been still for this many times as long.
DOM_ONLY_FACTOR = 4


class Shape(NamedTuple):
    """What changes while a page is built: whether it is parsed, its number of elements and its length of text."""

    is_parsed: bool = False
    elements: int = 0
    text: int = 0


class Stillness:
    """Track when the DOM and the network were last active; a ticking clock in the page does not count."""

    def __init__(self, quiet_seconds: float, now: float) -> None:
        """Wait for this many seconds without activity."""
        self._quiet_seconds = quiet_seconds
        self._pending: set[object] = set()
        self._network_since = now
        self._dom_since = now
        self._shape = Shape()

    def request_began(self, request: object, now: float) -> None:
        """Record the start of a request."""
        self._pending.add(request)
        self._network_since = now

    def request_ended(self, request: object, now: float) -> None:
        """Record that a request was answered or failed."""
        self._pending.discard(request)
        self._network_since = now

    def update_dom(self, shape: Shape, now: float) -> None:
        """Record the current shape of the DOM."""
        if shape != self._shape:
            self._shape = shape
            self._dom_since = now

    def is_reached(self, now: float) -> bool:
        """Return whether the page has settled."""
        if not self._shape.is_parsed:
            return False
        dom_quiet = now - self._dom_since
        network_quiet = 0.0 if self._pending else now - self._network_since
        both_quiet = min(dom_quiet, network_quiet)
        return both_quiet >= self._quiet_seconds or dom_quiet >= self._quiet_seconds * DOM_ONLY_FACTOR
