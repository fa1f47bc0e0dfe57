"""Memory-based learning, held against TiMBL, against its own definition, and against worked numbers."""

import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from broadsheet.learning.memory_based import WEIGHTINGS, GroupHoldout, IGTreeClassifier, MemoryClassifier, Weighting
from broadsheet.learning.memory_based._feature_weights import (
    FeatureCounts,
    binned,
    chi_square,
    entropy,
    gain_ratio,
    information_gain,
    shared_variance,
)
from broadsheet.models.igtree import IGTree
from broadsheet.models.instance_base import Comparison, InstanceBase
from broadsheet.models.model_errors import ModelError
from broadsheet.models.setting_grid import SettingGrid
from broadsheet.reading.element_features import LENGTH_COLUMNS
from tests.learning.memory_pages import generated_instances

TIMBL = shutil.which("timbl")
needs_timbl = pytest.mark.skipif(TIMBL is None, reason="timbl is not installed: apt-get install timbl")

Ints = NDArray[np.int32]
LENGTHS = tuple(range(LENGTH_COLUMNS.start, LENGTH_COLUMNS.stop))


def timbl_classes(folder: Path, train: tuple[Ints, Ints], test: tuple[Ints, Ints], *options: str) -> list[str]:
    for name, (features, codes) in (("train", train), ("test", test)):
        rows = zip(features.tolist(), codes.tolist(), strict=True)
        (folder / name).write_text("".join(f"{' '.join(map(str, row))} c{code}\n" for row, code in rows))
    paths = ["-f", str(folder / "train"), "-t", str(folder / "test"), "-o", str(folder / "out")]
    subprocess.run([str(TIMBL), *paths, *options], check=True, capture_output=True)  # noqa: S603
    return [line.split()[-1] for line in (folder / "out").read_text().splitlines()]


def agreement(folder: Path, numeric: bool, weighting: Weighting, algorithm: str, k: int) -> float:
    features, codes, pages = generated_instances()
    is_test = pages >= pages.max() - 1
    train, test = (features[~is_test], codes[~is_test]), (features[is_test], codes[is_test])
    columns = LENGTHS if numeric else ()
    metric = f"O:N{LENGTHS[0] + 1}-{LENGTHS[-1] + 1}" if numeric else "O"
    options = ["-w", str(WEIGHTINGS.index(weighting)), "-k", str(k), "-m", metric]
    if algorithm == "ib1":
        model: MemoryClassifier | IGTreeClassifier = MemoryClassifier(k, weighting, columns)
    else:
        model, options = IGTreeClassifier(weighting, columns), [*options, "-a", "1"]
    expected = timbl_classes(folder, train, test, *options)
    found = model.fit(*train).predict(test[0])
    return float(np.mean([f"c{code}" == other for code, other in zip(found.tolist(), expected, strict=True)]))


@needs_timbl
@pytest.mark.parametrize(("numeric", "weighting"), list(product([False, True], WEIGHTINGS)))
def test_ib1_and_igtree_give_the_classes_of_timbl(tmp_path: Path, numeric: bool, weighting: Weighting) -> None:
    for algorithm, k in (("ib1", 1), ("ib1", 7), ("igtree", 1)):
        assert agreement(tmp_path, numeric, weighting, algorithm, k) >= 0.999, (algorithm, k)


@pytest.mark.soak
@needs_timbl
@pytest.mark.parametrize("k", range(1, 11))
@pytest.mark.parametrize(("numeric", "weighting"), list(product([False, True], WEIGHTINGS)))
def test_ib1_gives_the_classes_of_timbl_in_the_whole_grid(
    tmp_path: Path, numeric: bool, weighting: Weighting, k: int
) -> None:
    assert agreement(tmp_path, numeric, weighting, "ib1", k) >= 0.999


def test_weights_of_a_worked_table() -> None:
    # 9 of 14 days are played; outlook (sunny, overcast, rain) against play is Quinlan's example.
    table = np.array([[2, 3], [4, 0], [3, 2]])

    assert entropy(table.sum(axis=0)) == pytest.approx(0.940, abs=5e-4)
    assert information_gain(table) == pytest.approx(0.247, abs=5e-4)
    assert gain_ratio(table) == pytest.approx(0.156, abs=1e-3)
    assert chi_square(table) == pytest.approx(3.547, abs=1e-3)
    assert shared_variance(table) == pytest.approx(3.547 / 14, abs=1e-4)


def test_a_feature_with_a_single_value_weighs_nothing() -> None:
    table = np.array([[5, 3]])

    assert [weigh(table) for weigh in (information_gain, gain_ratio, chi_square, shared_variance)] == [0.0] * 4


def test_numbers_are_put_into_bins_of_about_equally_many_values() -> None:
    assert binned(np.ones((7, 2), np.int64)).sum(axis=1).tolist() == [2] * 7
    assert binned(np.ones((45, 1), np.int64)).ravel().tolist() == [3] * 5 + [2] * 15


def test_k_counts_distances_not_neighbours() -> None:
    features = np.array([[0, 0], [0, 1], [0, 2], [0, 3], [9, 9]])
    classes = np.array(["far", "near", "near", "near", "far"])
    query = [[0, 8]]

    first = MemoryClassifier(1, "none").fit(features, classes)
    both = MemoryClassifier(2, "none").fit(features, classes)

    assert first.predict_proba(query).tolist() == [[0.25, 0.75]]
    assert both.predict_proba(query).tolist() == [[0.4, 0.6]]


def test_a_tie_is_resolved_by_one_more_distance_then_frequency_then_order() -> None:
    features = np.array([[0, 0, 1], [0, 0, 2], [0, 3, 3]])

    by_distance = MemoryClassifier(1, "none").fit(features, ["b", "a", "a"])
    by_order = MemoryClassifier(1, "none").fit(features[:2], ["b", "a"])

    assert by_distance.predict([[0, 0, 9]]).tolist() == ["a"]
    assert by_order.predict([[0, 0, 9]]).tolist() == ["b"]


def test_numbers_are_compared_by_their_scaled_difference() -> None:
    model = MemoryClassifier(1, "none", numeric=(0,)).fit(np.array([[0, 5], [100, 5]]), ["low", "high"])

    assert model.predict([[40, 5], [60, 5], [900, 5]]).tolist() == ["low", "high", "high"]


def test_igtree_stops_at_the_last_value_that_it_knows() -> None:
    features, classes = np.array([[1, 1], [1, 2], [1, 3], [2, 1]]), ["x", "x", "y", "y"]

    model = IGTreeClassifier("none").fit(features, classes)

    assert model.predict([[1, 3], [1, 9], [2, 9], [9, 1]]).tolist() == ["y", "x", "y", "x"]


def test_features_that_are_no_whole_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        MemoryClassifier().fit([[0.5]], ["a"])


def test_an_unknown_weighting_is_refused() -> None:
    with pytest.raises(ValueError, match="weighting must be one of"):
        MemoryClassifier(weighting="loud").fit([[1]], ["a"])  # type: ignore[arg-type]


SMALL = arrays.arrays(np.int32, st.tuples(st.integers(2, 30), st.integers(1, 5)), elements=st.integers(-3, 3))


def nearest_by_definition(features: Ints, codes: Ints, query: Ints, weights: NDArray[np.float64], k: int) -> set[int]:
    """Return the classes with the most votes among the k nearest distances, by comparing everything."""
    distances = ((features != query) * weights).sum(axis=1)
    limit = np.unique(np.round(distances, 9))[:k][-1] + 1e-9
    votes = np.bincount(codes[distances <= limit])
    return set(np.flatnonzero(votes == votes.max()).tolist())


@given(SMALL, st.integers(1, 4), st.data())
def test_the_tree_of_rows_finds_the_same_neighbours_as_comparing_everything(
    features: Ints, k: int, data: st.DataObject
) -> None:
    codes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(features), max_size=len(features))), np.int32)
    weights = np.array(data.draw(st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=5, max_size=5)))
    weights = weights[: features.shape[1]]
    order = np.argsort(-weights, kind="stable").astype(np.int32)
    base = InstanceBase.build(features, codes, 3, order)

    found, votes, _ = base.classify(
        features, Comparison(weights, np.zeros_like(weights), np.arange(3, dtype=np.int32), k)
    )

    for query, code, counts in zip(features, found.tolist(), votes, strict=True):
        winners = nearest_by_definition(features, codes, query, weights, k)
        assert code in winners or len(winners) > 1
        assert set(np.flatnonzero(counts == counts.max()).tolist()) == winners


@settings(max_examples=30, deadline=None)
@given(SMALL, st.sampled_from(WEIGHTINGS), st.integers(1, 3), st.data())
def test_leaving_out_a_group_is_the_same_as_never_having_stored_it(
    features: Ints, weighting: Weighting, k: int, data: st.DataObject
) -> None:
    size = len(features)
    codes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size)), np.int32)
    groups = (np.arange(size) % 2).astype(np.int32)

    by_group = {
        "ib1": GroupHoldout(features, codes, groups, class_count=3).predict(weighting, k),
        "igtree": GroupHoldout(features, codes, groups, class_count=3).predict(weighting, algorithm="igtree"),
    }

    for group, (algorithm, found) in product((0, 1), by_group.items()):
        inside = groups == group
        model = MemoryClassifier(k, weighting) if algorithm == "ib1" else IGTreeClassifier(weighting)
        alone = model.fit(features[~inside], codes[~inside]).predict(features[inside])
        assert found[inside].tolist() == alone.tolist()


@settings(max_examples=30, deadline=None)
@given(SMALL, st.data())
def test_all_settings_at_once_give_the_classes_of_each(features: Ints, data: st.DataObject) -> None:
    size = len(features)
    codes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size)), np.int32)
    holdout = GroupHoldout(features, codes, (np.arange(size) % 2).astype(np.int32), class_count=3)

    for members, found in holdout.grid(WEIGHTINGS, 3):
        for (number, weighting), k in product(enumerate(WEIGHTINGS), (1, 2, 3)):
            assert found[:, number, k - 1].tolist() == holdout.predict(weighting, k)[members].tolist(), (weighting, k)


def test_all_settings_at_once_give_the_classes_of_each_on_pages() -> None:
    features, codes, pages = generated_instances()
    holdout = GroupHoldout(features, codes, pages, class_count=16)
    one_by_one = holdout.predict("gain_ratio", 2)

    for members, found in holdout.grid(("none", "gain_ratio"), 2):
        assert found[:, 1, 1].tolist() == one_by_one[members].tolist()


def test_numbers_are_refused_where_all_settings_are_compared_at_once() -> None:
    base = InstanceBase.build(np.eye(2, dtype=np.int32), np.arange(2, dtype=np.int32), 2, np.arange(2, dtype=np.int32))
    comparison = Comparison(np.ones(2), np.ones(2), np.arange(2, dtype=np.int32))

    with pytest.raises(ModelError, match="only symbols"):
        SettingGrid(base).classify_rows(np.arange(2, dtype=np.int32), [comparison], 1)


def test_one_group_cannot_be_cross_validated() -> None:
    with pytest.raises(ValueError, match="at least two groups"):
        GroupHoldout(np.zeros((2, 1), np.int32), np.zeros(2, np.int32), np.zeros(2, np.int32), class_count=1)


def test_igtree_answers_as_the_uncompressed_tree() -> None:
    features, codes, _ = generated_instances()
    counts = FeatureCounts.count(features, codes, 16, np.zeros(features.shape[1], np.bool_))
    order = np.argsort(-counts.weights("gain_ratio"), kind="stable").astype(np.int32)
    base = InstanceBase.build(features, codes, 16, order)
    tree = IGTree.build(base, np.arange(16, dtype=np.int32))

    assert (tree.classify(features) == codes).mean() > 0.99
    assert len(tree.value) < len(base.rows)


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("rows", np.array([[1], [0]], np.int32), "ascending"),
        ("rows", np.zeros((0, 1), np.int32), "at least one"),
        ("first", np.array([0, 2, 1], np.int32), "no class"),
        ("classes", np.array([0, 7], np.int32), "does not have"),
        ("counts", np.array([1, 0], np.int32), "positive"),
        ("order", np.array([3], np.int32), "each of them once"),
        ("rows", np.array([[0.0], [1.0]]), "whole numbers"),
    ],
)
def test_stored_instances_that_do_not_fit_together_are_refused(
    name: str, column: NDArray[np.generic], message: str
) -> None:
    columns = {
        "rows": np.array([[0], [1]], np.int32),
        "first": np.array([0, 1, 2], np.int32),
        "classes": np.array([0, 1], np.int32),
        "counts": np.array([1, 1], np.int32),
        "order": np.array([0], np.int32),
    }

    with pytest.raises(ModelError, match=message):
        InstanceBase(**{**columns, name: column}, class_count=2)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [0, 1_001])
def test_a_number_of_distances_out_of_bounds_is_refused(k: int) -> None:
    with pytest.raises(ModelError, match="between 1 and"):
        MemoryClassifier(k).fit([[1], [2]], ["a", "b"]).predict([[1]])
