"""A tuple that is computed when it is first read."""

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class LazyTuple(Sequence[Item]):
    """A sequence that equals a tuple, and becomes one when it is pickled or copied.

    Two threads that read it at the same time may both compute it, with the same result.
    """

    __slots__ = ("_compute", "_items")

    def __init__(self, compute: Callable[[], tuple[Item, ...]]) -> None:
        """Take the function that computes the items."""
        self._compute: Callable[[], tuple[Item, ...]] | None = compute
        self._items: tuple[Item, ...] = ()

    def _tuple(self) -> tuple[Item, ...]:
        compute = self._compute
        if compute is not None:
            self._items = compute()
            # What the function refers to is no longer needed.
            self._compute = None
        return self._items

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        """Return an item, or a tuple of some."""
        return self._tuple()[index]

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._tuple())

    def __eq__(self, other: object) -> bool:
        """Compare with a tuple or another lazy one."""
        if isinstance(other, LazyTuple):
            other = other._tuple()
        return self._tuple() == other

    def __hash__(self) -> int:
        """Return the hash of the tuple."""
        return hash(self._tuple())

    def __repr__(self) -> str:
        """Show the items."""
        return repr(self._tuple())

    def __reduce__(self) -> tuple[type[tuple[Item, ...]], tuple[tuple[Item, ...]]]:
        """Become an ordinary tuple."""
        return tuple, (self._tuple(),)
