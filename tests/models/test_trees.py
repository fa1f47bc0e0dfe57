import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from broadsheet.models import _reference, _trees
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.nodes import TreeNodes
from broadsheet.models.trees import TreeEnsemble, apply_link
from tests.models.samples import CARD, one_split, sample


@st.composite
def ensembles(draw: st.DrawFn) -> TreeEnsemble:
    """Random trees of any shape, over five features and three classes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    width = draw(st.sampled_from((1, 3)))
    columns: dict[str, list[object]] = {name: [] for name in one_split()}
    for _ in range(draw(st.integers(1, 6))):
        _grow(columns, rng, draw(st.integers(0, 12)), width)
    types = {name: column.dtype for name, column in one_split().items()}
    nodes = TreeNodes(**{name: np.array(values, types[name]) for name, values in columns.items()})
    card = Card(name="random", version=1, features=tuple("abcde"), classes=tuple("xyz"), training="")
    return TreeEnsemble(card, nodes, rng.normal(size=3), draw(st.sampled_from(("sum", "mean"))), "softmax")


def _grow(columns: dict[str, list[object]], rng: np.random.Generator, splits: int, width: int) -> None:
    start = len(columns["feature"])
    columns["root"].append(start)
    columns["column"].append(0 if width == 3 else rng.integers(3))
    size, leaves = 2 * splits + 1, [0]
    children: dict[int, tuple[int, int]] = {}
    for split in range(splits):
        parent = leaves.pop(int(rng.integers(len(leaves))))
        children[parent] = (2 * split + 1, 2 * split + 2)
        leaves += children[parent]
    for node in range(size):
        left, right = children.get(node, (-start, -start))
        columns["feature"].append(rng.integers(5) if node in children else -1)
        columns["threshold"].append(rng.integers(-3, 4))
        columns["left"].append(start + left)
        columns["right"].append(start + right)
        columns["missing_left"].append(rng.integers(2))
        columns["value"].append(rng.normal(size=width))


def random_rows(count: int, seed: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-4, 5, (count, 5)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    return rows


def test_a_row_goes_left_up_to_the_threshold_and_right_beyond() -> None:
    scores = sample().scores([[5, 1.5], [11, 1.6]])

    assert scores.tolist() == [[2.5, 0.25], [-1.5, 1.0]]


def test_a_missing_feature_follows_the_default_direction_of_its_node() -> None:
    scores = sample().scores([[math.nan, math.nan]])

    assert scores.tolist() == [[2.5, 1.0]]


def test_a_mean_divides_the_sum_by_the_number_of_trees_before_the_baseline_is_added() -> None:
    assert sample("mean").scores([[5, 1.0]]).tolist() == [[1.5, 0.125]]


def test_softmax_normalizes_over_classes_and_logistic_treats_them_independently() -> None:
    row = [[5, 1.0]]

    softmax, logistic = (sample(link=link).probabilities(row)[0] for link in ("softmax", "logistic"))

    assert softmax == pytest.approx([1 / (1 + math.exp(-2.25)), 1 / (1 + math.exp(2.25))])
    assert logistic == pytest.approx([1 / (1 + math.exp(-2.5)), 1 / (1 + math.exp(-0.25))])


@pytest.mark.parametrize("link", ["softmax", "logistic"])
def test_links_stay_finite_for_any_score(link: str) -> None:
    probabilities = apply_link(np.array([[1e30, -1e30], [0, 0], [-1e30, -1e30]]), link)  # type: ignore[arg-type]

    assert np.isfinite(probabilities).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_no_rows_give_no_scores() -> None:
    assert sample().scores(np.empty((0, 2))).shape == (0, 2)


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ModelError, match="sample-3 takes rows of 2 features"):
        sample().scores([[1, 2, 3]])


@given(ensembles(), st.integers(0, 2**32))
def test_the_kernel_gives_the_same_numbers_as_the_reference(ensemble: TreeEnsemble, seed: int) -> None:
    rows = random_rows(20, seed)
    compiled, plain = np.zeros((20, 3)), np.zeros((20, 3))

    _trees.add_scores(ensemble.nodes, rows, compiled)
    _reference.add_scores(ensemble.nodes, rows, plain)

    assert compiled.tolist() == plain.tolist()


@given(ensembles(), st.integers(0, 2**32))
def test_contributions_differ_between_rows_as_scores_do(ensemble: TreeEnsemble, seed: int) -> None:
    rows = random_rows(8, seed)

    contributions = ensemble.contributions(rows).sum(axis=2)

    scores = ensemble.scores(rows)
    assert np.allclose(contributions - contributions[:1], scores - scores[:1], atol=1e-5)


def test_a_contribution_is_credited_to_the_feature_that_was_tested() -> None:
    contributions = sample().contributions([[5, 1.0]])[0]

    assert contributions.tolist() == [[0.0, 2.0], [-0.25, 0.0]]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"feature": np.array([2, -1, -1, 0, -1, -1], np.int32)}, "feature 2, but there are only 2"),
        ({"feature": np.array([-2, -1, -1, 0, -1, -1], np.int32)}, "feature -2"),
        ({"left": np.array([0, 0, 0, 4, 0, 0], np.int32)}, "backwards or out of the tree"),
        ({"left": np.array([4, 0, 0, 4, 0, 0], np.int32)}, "backwards or out of the tree"),
        ({"right": np.array([2, 0, 0, 6, 0, 0], np.int32)}, "backwards or out of the tree"),
        ({"right": np.array([-1, 0, 0, 5, 0, 0], np.int32)}, "backwards or out of the tree"),
        ({"root": np.array([0, 0], np.int32)}, "out of order"),
        ({"root": np.array([1, 3], np.int32)}, "out of order"),
        ({"root": np.array([0, 6], np.int32)}, "out of order"),
        ({"column": np.array([0, 2], np.int32)}, "classes other than"),
        ({"column": np.array([-1, 0], np.int32)}, "classes other than"),
        ({"column": np.array([0], np.int32)}, "differ in length"),
        ({"threshold": np.zeros(5, np.float32)}, "differ in length"),
        ({"threshold": np.full(6, np.nan, np.float32)}, "not a number"),
        ({"value": np.full((6, 1), np.inf, np.float32)}, "not a number"),
        ({"value": np.zeros((6, 0), np.float32)}, "no tree"),
        ({"value": np.zeros(6, np.float32)}, "in 1 dimensions"),
        ({"left": np.zeros(6, np.int64)}, "not int64"),
    ],
)
def test_inconsistent_trees_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        sample(**changes)  # type: ignore[arg-type]


def test_a_baseline_of_the_wrong_length_or_without_finite_numbers_is_refused() -> None:
    for baseline in (np.zeros(3), np.array([0, np.nan]), np.array([0, 1e300])):
        with pytest.raises(ModelError, match="one finite number per class"):
            TreeEnsemble(CARD, TreeNodes(**one_split()), baseline)


def test_changing_the_callers_arrays_does_not_undo_the_check() -> None:
    columns = one_split()
    nodes = TreeNodes(**columns)

    columns["left"][0] = 10**6

    assert nodes.left[0] == 1
    assert not nodes.left.flags.writeable
