"""Names by their numbers, and pairs of numbers in the order in which they first came, at a constant cost per pair."""

from collections.abc import Hashable, Sequence
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from broadsheet.sources._counting import number_names
from broadsheet.sources._growing import Growing
from broadsheet.sources.target_counts import Counts

T = TypeVar("T", bound=Hashable)
_BITS = 32


def numbers_of(known: dict[T, int], names: Sequence[T]) -> Counts:
    """Return the numbers of names; new ones get the next."""
    numbers = np.empty(len(names), np.int64)
    number_names(known, names, numbers)
    return numbers


class SeenPairs:
    """Distinct pairs of numbers below 2³², and how often each was added."""

    def __init__(self) -> None:
        """Begin without pairs."""
        self._places: dict[int, int] = {}
        self._left = Growing(np.int64)
        self._right = Growing(np.int64)
        self._times = Growing(np.int64)

    def __len__(self) -> int:
        """Return the number of distinct pairs."""
        return len(self._places)

    @property
    def left(self) -> Counts:
        """The first number of each pair."""
        return self._left.values

    @property
    def right(self) -> Counts:
        """The second number of each pair."""
        return self._right.values

    @property
    def times(self) -> Counts:
        """How often each pair was added."""
        return self._times.values

    def add(self, left: Counts, right: Counts) -> int:
        """Add pairs, and return how many there were before; the new ones stand after those."""
        before = len(self._places)
        places = numbers_of(self._places, ((left << _BITS) | right).tolist())
        # A dictionary keeps the order, so the new ones are its last.
        new = np.fromiter(islice(reversed(self._places), len(self._places) - before), np.int64)[::-1]
        self._left.extend(new >> _BITS)
        self._right.extend(new & ((1 << _BITS) - 1))
        self._times.grow(len(self._places))
        self._times.add(places, 1)
        return before

    def renumbered(self, kept: NDArray[np.bool_], left: Counts, right: Counts) -> "SeenPairs":
        """Return some of the pairs with other numbers, given for all of them."""
        some = SeenPairs()
        some.add(left[kept], right[kept])
        some._times.values[:] = self.times[kept]
        return some

    def chosen(self, rows: NDArray[np.intp]) -> tuple[Counts, Counts, Counts]:
        """Return the pairs of some left numbers: the place of each in `rows`, its right number and its times."""
        size = int(max(rows.max(initial=-1), self.left.max(initial=-1))) + 1
        place_of = np.full(size, -1, np.int64)
        place_of[rows] = np.arange(len(rows))
        places = place_of[self.left]
        wanted = places >= 0
        return places[wanted], self.right[wanted], self.times[wanted]


class NamedPairs(Generic[T]):
    """Numbers and names, and how often each pair of them was added."""

    def __init__(self) -> None:
        """Begin without pairs."""
        #: The number of each name, which is the second of its pairs.
        self.names: dict[T, int] = {}
        self.pairs = SeenPairs()

    def add(self, left: Counts, names: Sequence[T]) -> None:
        """Add pairs of a number and a name."""
        self.pairs.add(left, numbers_of(self.names, names))

    def renumber(self, new: Counts) -> None:
        """Replace each first number by another, and forget the pairs for which that is negative, with their names."""
        left = new[self.pairs.left]
        kept = left >= 0
        used = np.unique(self.pairs.right[kept])
        number = np.full(len(self.names), -1, np.int64)
        number[used] = np.arange(len(used))
        names = list(self.names)
        self.names = {names[old]: place for place, old in enumerate(used.tolist())}
        self.pairs = self.pairs.renumbered(kept, left, number[self.pairs.right])
