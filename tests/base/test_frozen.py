import pickle

import pytest

from broadsheet.base.frozen import FrozenMapping


def test_it_equals_any_mapping_with_the_same_items() -> None:
    frozen = FrozenMapping({"a": 1, "b": 2})

    assert frozen == {"b": 2, "a": 1}
    assert (list(frozen), len(frozen), frozen["b"]) == (["a", "b"], 2, 2)
    assert repr(frozen) == "FrozenMapping({'a': 1, 'b': 2})"


def test_equal_mappings_have_equal_hashes() -> None:
    assert hash(FrozenMapping({"a": 1, "b": 2})) == hash(FrozenMapping({"b": 2, "a": 1}))


def test_it_cannot_be_changed() -> None:
    items = {"a": 1}
    frozen = FrozenMapping(items)

    items["a"] = 2

    assert frozen["a"] == 1
    with pytest.raises(TypeError):
        frozen["a"] = 3  # type: ignore[index]


def test_it_can_be_pickled() -> None:
    frozen = FrozenMapping({"a": 1})

    assert pickle.loads(pickle.dumps(frozen)) == frozen  # noqa: S301 - our own bytes
