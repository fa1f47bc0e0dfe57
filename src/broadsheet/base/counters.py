"""Counters: one registry feeds progress, status and metrics, and every drop is counted with its reason."""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import NamedTuple


class Counted(NamedTuple):
    """The key of a counter: a name (`dropped`) and an optional reason (`robots`)."""

    name: str
    reason: str | None = None


class Counters:
    """Thread-safe counts by name and reason; other processes send a snapshot to merge."""

    def __init__(self) -> None:
        """Start with no counts."""
        self._numbers: dict[Counted, int] = {}
        self._lock = Lock()

    def count(self, name: str, reason: str | None = None, by: int = 1) -> None:
        """Add to one count; counts never decrease."""
        if by < 0:
            raise ValueError(f"{name} cannot be counted by {by}: counters only grow")
        counted = Counted(name, reason)
        with self._lock:
            self._numbers[counted] = self._numbers.get(counted, 0) + by

    def total(self, name: str) -> int:
        """Return the count of a name, summed over its reasons."""
        return sum(number for counted, number in self.snapshot().items() if counted.name == name)

    def snapshot(self) -> dict[Counted, int]:
        """Return a consistent copy of all counts."""
        with self._lock:
            return dict(self._numbers)

    def merge(self, numbers: Mapping[Counted, int]) -> None:
        """Add the counts of a snapshot atomically."""
        with self._lock:
            for counted, number in numbers.items():
                self._numbers[counted] = self._numbers.get(counted, 0) + number

    def __iter__(self) -> Iterator[tuple[Counted, int]]:
        """Yield keys and counts, sorted by name and reason."""
        numbers = self.snapshot()
        return iter(sorted(numbers.items(), key=lambda item: (item[0].name, item[0].reason or "")))
