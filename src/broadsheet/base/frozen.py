"""An immutable mapping, for the fields of frozen records."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class FrozenMapping(Mapping[K, V_co]):
    """A mapping that can be hashed and pickled, unlike the standard library's read-only view."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V_co]) -> None:
        """Copy the items, so that the caller cannot change them afterwards."""
        self._items = dict(items.items())

    def __getitem__(self, key: K) -> V_co:
        """Return the value of a key."""
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys in insertion order."""
        return iter(self._items)

    # `Mapping` has these too, but asks for one key after the other.
    def __contains__(self, key: object) -> bool:
        """Say whether there is a key."""
        return key in self._items

    def keys(self) -> KeysView[K]:
        """Return the keys in insertion order."""
        return self._items.keys()

    def values(self) -> ValuesView[V_co]:
        """Return the values in insertion order."""
        return self._items.values()

    def items(self) -> ItemsView[K, V_co]:
        """Return keys and values in insertion order."""
        return self._items.items()

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def __hash__(self) -> int:
        """Hash the items regardless of their order, consistent with equality."""
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        """Show the items."""
        return f"FrozenMapping({self._items!r})"
