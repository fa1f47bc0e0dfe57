from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.c45._storage import write
from tests.learning.datasets import DATA
from tests.learning.test_c45 import Table, tables


@pytest.fixture(scope="module")
def arrays() -> dict[str, NDArray[Any]]:
    data = DATA["mixed and missing"]()
    return C45Classifier(nominal=[0, 1]).fit(data.table, data.classes).to_arrays()


@settings(max_examples=40, deadline=None)
@given(tables())
def test_a_tree_from_arrays_predicts_the_same(data: Table) -> None:
    table, classes = data
    tree = C45Classifier(nominal=[0]).fit(table, classes)

    again = C45Classifier.from_arrays(tree.to_arrays())

    assert (again.predict_proba(table) == tree.predict_proba(table)).all()
    assert again.to_text() == tree.to_text()


def test_a_file_brings_everything_back(tmp_path: Path) -> None:
    table = np.array([["news", 1], ["shop", 2]] * 5, dtype=object)
    tree = C45Classifier(nominal=0).fit(table, ["article", "other"] * 5)

    tree.save(tmp_path / "tree.npz")
    again = C45Classifier.load(tmp_path / "tree.npz")

    assert again.predict(table).tolist() == ["article", "other"] * 5
    assert again.categories_[0] is not None
    assert again.categories_[0].tolist() == ["news", "shop"]


def test_no_array_is_of_python_objects(arrays: dict[str, NDArray[Any]]) -> None:
    assert all(array.dtype.kind != "O" for array in arrays.values())


def test_classes_that_only_pickle_could_store_are_refused() -> None:
    tree = C45Classifier().fit([[1], [2]], [0, 1])
    tree.classes_ = np.array([(1, 2), None], dtype=object)

    with pytest.raises(InputError, match="cannot be stored"):
        tree.to_arrays()


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("version", lambda old: old + 1, "version"),
        ("feature", lambda old: old[:-1], "differ in length"),
        ("feature", lambda old: np.where(old >= 0, 99, old), "does not exist"),
        ("feature", lambda old: old - 1, "children|not there"),
        ("first_child", lambda old: np.where(old > 0, 0, old), "before it"),
        ("first_child", lambda old: np.where(old > 0, len(old) - 1, old), "beyond"),
        ("child_count", lambda old: np.where(old > 0, 1, old), "too few"),
        ("child_count", lambda old: np.where(old > 0, 2**31 - 1, old), "beyond"),
        ("threshold", lambda old: old * np.nan, "no threshold"),
        ("threshold", lambda old: np.zeros(len(old)), "nominal test"),
        ("weights", lambda old: -old, "negative"),
        ("weights", lambda old: old[:, :-1], "weights have the shape"),
        ("classes", lambda old: old * 0, "not all different"),
        ("nominal", lambda old: old[:0], "does not exist"),
        ("values_0", lambda old: old[::-1], "not sorted"),
        ("values_0", lambda old: old[:-1], "one branch per value"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(
    arrays: dict[str, NDArray[Any]], name: str, change: Any, words: str
) -> None:
    changed = change(arrays[name]).astype(arrays[name].dtype)

    with pytest.raises(InputError, match=words):
        C45Classifier.from_arrays(arrays | {name: changed})


def test_an_array_of_another_kind_is_refused(arrays: dict[str, NDArray[Any]]) -> None:
    with pytest.raises(InputError, match="has the wrong type"):
        C45Classifier.from_arrays(arrays | {"feature": arrays["feature"].astype(np.int64)})


@pytest.mark.parametrize(
    "name",
    ["version", "feature", "threshold", "first_child", "child_count", "weights", "classes", "nominal", "values_1"],
)
def test_no_array_may_be_lacking(arrays: dict[str, NDArray[Any]], name: str) -> None:
    rest = {key: value for key, value in arrays.items() if key != name}

    with pytest.raises(InputError):
        C45Classifier.from_arrays(rest)


@given(
    st.sampled_from(["feature", "first_child", "child_count"]), st.integers(0, 10**6), st.integers(-(2**31), 2**31 - 1)
)
def test_a_wrong_number_is_refused_or_harmless(
    arrays: dict[str, NDArray[Any]], name: str, place: int, number: int
) -> None:
    broken = arrays[name].copy()
    broken[place % len(broken)] = number

    try:
        tree = C45Classifier.from_arrays(arrays | {name: broken})
    except InputError:
        return

    columns = len(arrays["nominal"])
    asked = np.vstack([np.zeros(columns), np.ones(columns), np.full(columns, np.nan)])
    assert tree.predict_proba(asked).sum(axis=1) == pytest.approx(1)


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tree.npz").write_bytes(b"PK\x03\x04 not really")

    with pytest.raises(InputError, match="cannot be read as a tree"):
        C45Classifier.load(tmp_path / "tree.npz")
    with pytest.raises(InputError, match="cannot be read as a tree"):
        C45Classifier.load(tmp_path / "nothing.npz")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_refused_or_harmless(
    arrays: dict[str, NDArray[Any]], tmp_path: Path, place: int, noise: bytes
) -> None:
    write(arrays, tmp_path / "tree.npz")
    data = bytearray((tmp_path / "tree.npz").read_bytes())
    place %= len(data)
    data[place : place + len(noise)] = noise
    (tmp_path / "tree.npz").write_bytes(data)

    try:
        tree = C45Classifier.load(tmp_path / "tree.npz")
    except InputError:
        return

    assert tree.predict_proba(np.zeros((1, len(tree.categories_)))).sum() == pytest.approx(1)


def test_names_of_features_come_back(arrays: dict[str, NDArray[Any]]) -> None:
    names = np.array([f"feature {column}" for column in range(len(arrays["nominal"]))])

    again = C45Classifier.from_arrays(arrays | {"feature_names": names})

    assert again.to_text().startswith("feature ")
    assert again.to_arrays()["feature_names"].tolist() == names.tolist()
    with pytest.raises(InputError, match="has 1 feature names for"):
        C45Classifier.from_arrays(arrays | {"feature_names": names[:1]})


def test_a_file_with_python_objects_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "tree.npz", version=np.array([{}], dtype=object))

    with pytest.raises(InputError, match="cannot be read as a tree"):
        C45Classifier.load(tmp_path / "tree.npz")


def test_a_file_of_one_array_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "tree.npy", np.zeros(3))

    with pytest.raises(InputError, match="not a zip file"):
        C45Classifier.load(tmp_path / "tree.npy")
