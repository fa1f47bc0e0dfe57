"""A tuple that is computed when it is first read."""

import copy
from collections.abc import Callable

import pytest

from broadsheet.base.lazy_tuple import LazyTuple


def test_the_items_are_computed_once_and_only_if_they_are_read() -> None:
    calls = []

    def compute() -> tuple[str, ...]:
        calls.append(1)
        return "a", "b"

    lazy = LazyTuple(compute)
    before = len(calls)
    read = [*lazy, *lazy]

    assert before == 0
    assert read == ["a", "b", "a", "b"]
    assert len(calls) == 1


def test_it_behaves_like_the_tuple() -> None:
    lazy, same = (LazyTuple(lambda: ("a", "b", "c")) for _ in range(2))

    assert lazy == ("a", "b", "c")
    assert lazy == same
    assert lazy != ("a", "b")
    assert hash(lazy) == hash(("a", "b", "c"))
    assert (lazy[0], lazy[-1], lazy[:2], len(lazy)) == ("a", "c", ("a", "b"), 3)
    assert repr(lazy) == "('a', 'b', 'c')"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_a_copy_is_an_ordinary_tuple(duplicate: Callable[[LazyTuple[str]], object]) -> None:
    copied = duplicate(LazyTuple(lambda: ("a",)))

    assert type(copied) is tuple
    assert copied == ("a",)
