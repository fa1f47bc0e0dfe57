from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.c45._nominal import nominal_mask
from tests.learning.datasets import DATA

Table = tuple[NDArray[np.float64], NDArray[np.int64]]

VALUES = st.one_of(st.integers(0, 3).map(float), st.floats(-5, 5, width=16), st.just(np.nan))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Small tables with ties, missing values and, in the first column, four categories."""
    shape = draw(st.tuples(st.integers(1, 40), st.integers(1, 4)))
    table = draw(hnp.arrays(np.float64, shape, elements=VALUES))
    table[:, 0] = draw(hnp.arrays(np.float64, shape[0], elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])))
    return table, draw(hnp.arrays(np.int64, shape[0], elements=st.integers(0, 2)))


def test_it_is_an_estimator_as_scikit_learn_has_them() -> None:
    results = check_estimator(C45Classifier(), on_skip=None, on_fail=None)

    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    passed = [result for result in results if result["status"] == "passed"]
    assert not failed
    assert len(passed) > 40


def test_the_tree_of_the_irises_is_the_one_in_the_books() -> None:
    flowers = load_iris()
    tree = C45Classifier().fit(flowers.data, flowers.target_names[flowers.target])

    assert tree.to_text(["sl", "sw", "pl", "pw"]).splitlines() == [
        "pw <= 0.6: setosa (50)",
        "pw > 0.6",
        "|   pw <= 1.7",
        "|   |   pl <= 4.9: versicolor (48/1)",
        "|   |   pl > 4.9",
        "|   |   |   pw <= 1.5: virginica (3)",
        "|   |   |   pw > 1.5: versicolor (3/1)",
        "|   pw > 1.7: virginica (46/1)",
    ]


@settings(max_examples=40, deadline=None)
@given(tables())
def test_probabilities_sum_to_one(data: Table) -> None:
    table, classes = data
    tree = C45Classifier(nominal=[0], min_leaf=1).fit(table, classes)

    asked = np.vstack([table, np.full((1, table.shape[1]), np.nan), np.full((1, table.shape[1]), 9.0)])
    probabilities = tree.predict_proba(asked)

    assert (probabilities >= 0).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(tables(), st.booleans())
def test_pruning_never_adds_a_node(data: Table, raising: bool) -> None:
    table, classes = data
    grown = C45Classifier(nominal=[0], prune=False, collapse=False).fit(table, classes)
    collapsed = C45Classifier(nominal=[0], prune=False).fit(table, classes)
    pruned = C45Classifier(nominal=[0], subtree_raising=raising).fit(table, classes)

    assert len(grown.tree_) >= len(collapsed.tree_) >= len(pruned.tree_) >= 1


@settings(max_examples=40, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data: Table, random: Any) -> None:
    table, classes = data
    order = list(range(len(table)))
    random.shuffle(order)

    one = C45Classifier(nominal=[0]).fit(table, classes)
    other = C45Classifier(nominal=[0]).fit(table[order], classes[order])

    # Sums of parts of cases are rounded in another order; a true difference would be a whole case.
    assert one.predict_proba(table) == pytest.approx(other.predict_proba(table), abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(tables(), st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_a_weight_counts_as_so_many_rows(data: Table, times: list[int]) -> None:
    table, classes = data
    weights = np.array(times[: len(table)])
    weights[0] = 1
    numeric = table[:, 1:] if table.shape[1] > 1 else table

    weighted = C45Classifier().fit(numeric, classes, sample_weight=weights)
    repeated = C45Classifier().fit(np.repeat(numeric, weights, axis=0), np.repeat(classes, weights))

    assume(np.isin(weighted.classes_, repeated.classes_).all())
    assert weighted.predict_proba(numeric) == pytest.approx(repeated.predict_proba(numeric), abs=1e-6)


def test_a_missing_value_takes_every_branch_by_its_part() -> None:
    table = np.array([[0.0]] * 6 + [[1.0]] * 2)
    tree = C45Classifier().fit(table, [0] * 6 + [1] * 2)

    assert tree.predict_proba([[np.nan]])[0] == pytest.approx([0.75, 0.25])


def test_a_category_never_seen_is_missing() -> None:
    table = np.array([["news"]] * 6 + [["shop"]] * 2)
    tree = C45Classifier(nominal=[0]).fit(table, [0] * 6 + [1] * 2)

    assert tree.predict_proba(np.array([["blog"], ["shop"]])) == pytest.approx(np.array([[0.75, 0.25], [0, 1]]))


def test_text_and_numbers_may_stand_in_one_table() -> None:
    table = np.array([["a", 1], ["b", 2.5], [None, 3], ["a", np.nan]] * 4, dtype=object)
    tree = C45Classifier(nominal=[True, False]).fit(table, ["x", "y", "y", "x"] * 4)

    assert tree.predict(table).tolist() == ["x", "y", "y", "x"] * 4


def test_an_empty_branch_says_what_its_parent_says() -> None:
    table = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]] * 4, dtype=float)
    classes = np.array([0, 1, 1, 1, 0] * 4)
    tree = C45Classifier(nominal=[0, 1], prune=False, collapse=False).fit(table, classes)

    # Of the first feature's 0 the second never was 2.
    answer = tree.predict_proba([[0, 2]])

    assert answer[0] == pytest.approx([0.5, 0.5])


def test_a_case_without_weight_leaves_no_trace() -> None:
    table = np.array([[1.0], [2.0], [3.0], [4.0], [2.6]])
    classes = [0, 0, 1, 1, 1]

    tree = C45Classifier(prune=False, observed_thresholds=True).fit(table, classes, [1, 1, 1, 1, 0])

    assert tree.tree_.threshold[0] == 2.0


def test_a_threshold_is_a_value_of_the_training_data_even_of_other_branches() -> None:
    table = np.array([[0, 1], [0, 1], [0, 9], [0, 9], [1, 4], [1, 4], [1, 4]], dtype=float)

    tree = C45Classifier(prune=False, criterion="gain", average_gain_filter=False)
    tree.fit(table, [0, 0, 1, 1, 2, 2, 2])

    assert 4.0 in tree.tree_.threshold


def test_subtree_raising_changes_some_trees() -> None:
    data = DATA["mixed"]()
    sizes = {
        raising: len(C45Classifier(nominal=[0, 1], subtree_raising=raising).fit(data.table, data.classes).tree_)
        for raising in (True, False)
    }

    assert sizes[True] != sizes[False]


@pytest.mark.parametrize(
    "setting", [{"scaled_min_leaf": False}, {"average_gain_filter": False}, {"criterion": "gain"}, {"resolution": 0.5}]
)
def test_what_j48_cannot_switch_can_be_switched_here(setting: dict[str, Any]) -> None:
    data = DATA["mixed"]()
    usual = C45Classifier(nominal=[0, 1]).fit(data.table, data.classes)

    other = clone(usual).set_params(**setting).fit(data.table, data.classes)

    assert other.to_text() != usual.to_text()


def test_numbers_at_the_ends_of_the_range_can_be_told_apart() -> None:
    table = np.array([[-1.7e308]] * 3 + [[1.7e308]] * 3)

    tree = C45Classifier().fit(table, [0, 0, 0, 1, 1, 1])

    assert tree.predict(table).tolist() == [0, 0, 0, 1, 1, 1]


def test_a_chain_of_many_splits_does_not_exhaust_the_stack() -> None:
    rows = 2400
    table = np.arange(rows, dtype=float)[:, None]
    classes = np.arange(rows) // 2 % 2

    tree = C45Classifier(prune=False, collapse=False, mdl_correction=False, scaled_min_leaf=False).fit(table, classes)

    assert (tree.predict(table) == classes).all()
    assert C45Classifier(scaled_min_leaf=False, mdl_correction=False).fit(table, classes).n_leaves_ >= 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"criterion": "gini"}, "criterion"),
        ({"confidence": 0.7}, "confidence"),
        ({"min_leaf": 0}, "min_leaf"),
        ({"resolution": -1}, "resolution"),
        ({"nominal": ["tag"]}, "has no column names"),
        ({"nominal": [7]}, "7 is not a column of 2"),
        ({"nominal": [True]}, "mask"),
    ],
)
def test_what_has_no_meaning_is_refused_in_one_line(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        C45Classifier(**parameters).fit([[1, 2], [3, 4]], [0, 1])


def test_nominal_columns_may_be_named_numbered_or_masked() -> None:
    names = ["score", "tag", "links"]
    ways: list[Any] = ["tag", ["tag"], 1, [-2], [False, True, False], np.array([False, True, False])]

    masks = [nominal_mask(way, 3, names).tolist() for way in ways]

    assert masks == [[False, True, False]] * len(ways)
    with pytest.raises(InputError, match="no column is called 'date'"):
        nominal_mask(["date"], 3, names)


def test_text_in_a_numeric_column_is_refused() -> None:
    with pytest.raises(InputError, match="column 1 is numeric"):
        C45Classifier(nominal=[0]).fit(np.array([["a", "b"], ["c", "d"]], dtype=object), [0, 1])


def test_infinity_in_a_mixed_table_is_refused() -> None:
    with pytest.raises(InputError, match="infinite"):
        C45Classifier(nominal=[0]).fit(np.array([["a", np.inf], ["c", 1]], dtype=object), [0, 1])


def test_what_was_not_fitted_says_so() -> None:
    with pytest.raises(NotFittedError):
        C45Classifier().to_text()
