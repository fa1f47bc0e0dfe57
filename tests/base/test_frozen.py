import json
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
        frozen["a"] = 3


def test_it_can_be_pickled() -> None:
    frozen = FrozenMapping({"a": 1})

    assert pickle.loads(pickle.dumps(frozen)) == frozen  # noqa: S301 - our own bytes


@pytest.mark.parametrize("change", ["clear", "popitem"])
def test_no_method_of_a_dict_changes_it(change: str) -> None:
    frozen = FrozenMapping({"a": 1})

    with pytest.raises(TypeError):
        getattr(frozen, change)()
    with pytest.raises(TypeError):
        frozen.update({"a": 2})
    with pytest.raises(TypeError):
        frozen |= {"b": 2}
    with pytest.raises(TypeError):
        del frozen["a"]
    assert frozen == {"a": 1}


def test_json_knows_it() -> None:
    assert json.dumps(FrozenMapping({"a": FrozenMapping({"b": 1})})) == '{"a": {"b": 1}}'
