"""What happened how often: one registry feeds progress, status and metrics, and no drop goes uncounted."""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import NamedTuple


class Counted(NamedTuple):
    """What is counted: a name (`dropped`) and, where there is one, the reason (`robots`)."""

    name: str
    reason: str | None = None


class Counters:
    """Numbers by name and reason, which any thread may add to; other processes send a snapshot to merge."""

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._numbers: dict[Counted, int] = {}
        self._lock = Lock()

    def count(self, name: str, reason: str | None = None, by: int = 1) -> None:
        """Add to one number; what was counted once is never taken back."""
        if by < 0:
            raise ValueError(f"{name} cannot be counted by {by}: counters only grow")
        counted = Counted(name, reason)
        with self._lock:
            self._numbers[counted] = self._numbers.get(counted, 0) + by

    def total(self, name: str) -> int:
        """Return how often a name was counted, over all its reasons."""
        return sum(number for counted, number in self.snapshot().items() if counted.name == name)

    def snapshot(self) -> dict[Counted, int]:
        """Return all numbers as they stand at one moment."""
        with self._lock:
            return dict(self._numbers)

    def merge(self, numbers: Mapping[Counted, int]) -> None:
        """Add the numbers of a snapshot, all at one moment."""
        with self._lock:
            for counted, number in numbers.items():
                self._numbers[counted] = self._numbers.get(counted, 0) + number

    def __iter__(self) -> Iterator[tuple[Counted, int]]:
        """Give what was counted with its number, by name, then by reason."""
        numbers = self.snapshot()
        return iter(sorted(numbers.items(), key=lambda item: (item[0].name, item[0].reason or "")))
