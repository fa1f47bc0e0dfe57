"""An immutable mapping, for the fields of frozen records."""

from typing import NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenMapping(dict[K, V]):
    """A dict that refuses to be changed, and so can be hashed; it can be pickled, unlike a read-only view of one.

    Being a dict, it is read as fast as one, and JSON knows it.
    """

    __slots__ = ()

    def _refuse(self, *_arguments: object, **_named: object) -> NoReturn:
        raise TypeError("a FrozenMapping cannot be changed: make a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        """Hash the items regardless of their order, consistent with equality."""
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["FrozenMapping[K, V]"], tuple[dict[K, V]]]:
        """Let it be copied and pickled, for which a dict would be filled item by item."""
        return FrozenMapping, (dict(self),)

    def __repr__(self) -> str:
        """Show the items."""
        return f"FrozenMapping({super().__repr__()})"
