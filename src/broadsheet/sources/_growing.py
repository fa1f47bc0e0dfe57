"""A column that grows, at a constant cost per value."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Growing:
    """A NumPy column with room for more values."""

    def __init__(self, kind: DTypeLike, empty: float = 0) -> None:
        """Take the type of the values, and the value of rows that nothing was stored in."""
        self._empty = empty
        self._size = 0
        self._room: NDArray[Any] = np.full(64, empty, kind)

    @property
    def values(self) -> NDArray[Any]:
        """The values, to read and to change in place."""
        return self._room[: self._size]

    def filled(self, size: int) -> NDArray[Any]:
        """Return a copy with this many rows."""
        self.grow(size)
        return self.values.copy()

    def grow(self, size: int) -> None:
        """Have at least this many rows."""
        if size > len(self._room):
            room = np.full(max(size, 2 * len(self._room)), self._empty, self._room.dtype)
            room[: self._size] = self.values
            self._room = room
        self._size = max(self._size, size)

    def add(self, rows: NDArray[np.int64], amount: float | NDArray[np.float64]) -> None:
        """Add an amount to rows, or an amount each, as often as each is named."""
        if len(rows):
            self.grow(int(rows.max()) + 1)
            np.add.at(self._room, rows, amount)

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Keep some rows only; those that nothing was stored in are empty."""
        self.grow(int(rows.max(initial=-1)) + 1)
        self._room = np.concatenate((self.values[rows], np.full(64, self._empty, self._room.dtype)))
        self._size = len(rows)

    def extend(self, values: Sequence[float] | NDArray[Any]) -> None:
        """Append values."""
        start = self._size
        self.grow(start + len(values))
        self._room[start : self._size] = values
