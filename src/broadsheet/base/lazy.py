"""Properties that are computed on first use."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")


class lazy(Generic[_Owner, _Value]):  # noqa: N801 - it is used like `property`
    """A property whose value is computed on first use and then kept in the object's `__dict__`.

    Unlike `functools.cached_property` before Python 3.12 it has no lock, which all objects of a class would share, so
    that their threads would wait for each other. Two threads may therefore both compute a value.
    """

    def __init__(self, compute: Callable[[_Owner], _Value]) -> None:
        """Keep the function, with its documentation."""
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        """Keep the name."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> "lazy[_Owner, _Value]": ...

    @overload
    def __get__(self, instance: _Owner, owner: type[Any]) -> _Value: ...

    def __get__(self, instance: _Owner | None, owner: type[Any]) -> "lazy[_Owner, _Value] | _Value":
        """Compute the value; from then on, Python finds it in the object itself."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
