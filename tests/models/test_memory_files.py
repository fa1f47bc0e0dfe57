"""Files of stored instances: what is written comes back, and what does not fit together is refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from broadsheet.models.arrays import pack, unpack
from broadsheet.models.card import Card
from broadsheet.models.instance_base import Comparison, InstanceBase
from broadsheet.models.memory_files import MemoryModel, from_bytes, load, save, to_bytes
from broadsheet.models.model_errors import ModelError

FEATURES = np.array([[0, 300, -1], [0, 300, 2], [1, 70_000, 2], [1, 0, 2]], np.int32)


def sample() -> MemoryModel:
    card = Card(name="sample", version=1, features=("a", "b", "c"), classes=("x", "y"), training="four rows")
    base = InstanceBase.build(FEATURES, np.array([0, 0, 1, 1], np.int32), 2, np.array([2, 0, 1], np.int32))
    return MemoryModel(card, base, Comparison(np.ones(3), np.zeros(3), np.arange(2, dtype=np.int32), 2))


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    save(sample(), tmp_path / "model.npz")

    model = load(tmp_path / "model.npz")

    assert model.card == sample().card
    assert model.base.rows.tolist() == sample().base.rows.tolist()
    assert model.classify(FEATURES)[0].tolist() == sample().classify(FEATURES)[0].tolist()
    assert to_bytes(model) == to_bytes(sample())


def changed(name: str, value: NDArray[np.generic] | None) -> bytes:
    """Return the sample with one array replaced, or left out."""
    arrays: dict[str, NDArray[np.generic]] = unpack(to_bytes(sample()))
    del arrays[name]
    return pack(arrays if value is None else {**arrays, name: value})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("weights", None, "no array 'weights'"),
        ("column_1", None, "missing or differ"),
        ("format", np.array(9, np.int32), "format is not"),
        ("column_0", np.zeros(9, np.uint8), "missing or differ"),
        ("column_0", np.zeros(4), "whole numbers"),
        ("column_2", np.array([5, 4, 3, 2], np.uint8), "no class|ascending"),
        ("first", np.array([0, 1, 2, 3, 99], np.uint8), "differ in number"),
        ("classes", np.array([0, 0, 1, 9], np.uint8), "does not have"),
        ("counts", np.array([0, 1, 1, 1], np.uint8), "positive"),
        ("order", np.array([0, 0, 1], np.uint8), "each of them once"),
        ("weights", np.array([1.0, np.nan, 1.0]), "finite"),
        ("weights", np.ones(2), "weights and scales|features"),
        ("scales", np.array([-1.0, 0.0, 0.0]), "finite"),
        ("rank", np.zeros(5, np.uint8), "classes"),
        ("k", np.array(0, np.int32), "between 1 and"),
        ("k", np.array(5_000, np.int32), "between 1 and"),
        ("counts", np.array([2**40, 1, 1, 1]), "32 bits"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(name: str, value: NDArray[np.generic] | None, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        from_bytes(changed(name, value))


@given(st.data())
def test_a_damaged_file_is_refused_or_still_answers(data: st.DataObject) -> None:
    content = bytearray(to_bytes(sample()))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content[: data.draw(st.integers(0, len(content)))])

    for damaged in (bytes(content), cut):
        try:
            model = from_bytes(damaged)
        except ModelError:
            continue
        classes = model.classify(np.zeros((2, len(model.card.features)), np.int32))[0]
        assert (classes < len(model.card.classes)).all()


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.npz"):
        load(tmp_path / "none.npz")
