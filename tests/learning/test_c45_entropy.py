import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.c45._entropy import gain, gain_ratio, information

WEIGHTS = st.floats(0, 1e6, allow_subnormal=False)
TABLES = st.integers(1, 5).flatmap(
    lambda classes: st.lists(st.lists(WEIGHTS, min_size=classes, max_size=classes), min_size=1, max_size=6)
)

#: The published example: the best subsequence's score, CoreEx's tag (body, div, iframe), and what the page is.
FIVE_PAGES = np.array([[15, 0], [65, 0], [70, 1], [80, 1], [50, 2]], dtype=float)
IS_ARTICLE = ["not article", "article", "article", "article", "not article"]


def test_five_pages_hold_0_971_bits() -> None:
    assert information([3, 2]) == pytest.approx(0.971, abs=5e-4)


def test_the_subsequence_tells_all_of_them_and_the_tag_0_571() -> None:
    by_subsequence = [[0, 2], [3, 0]]
    by_tag = [[1, 1], [2, 0], [0, 1]]

    assert gain(by_subsequence) == pytest.approx(0.971, abs=5e-4)
    assert gain(by_tag) == pytest.approx(0.571, abs=5e-4)


def test_the_root_of_the_five_pages_tests_the_subsequence() -> None:
    tree = C45Classifier(criterion="gain", nominal=[1], prune=False).fit(FIVE_PAGES, IS_ARTICLE)

    assert tree.to_text(["MSS", "tag"]) == "MSS <= 50: not article (2)\nMSS > 50: article (3)"


def test_the_midpoint_is_the_threshold_where_observed_values_are_not_asked_for() -> None:
    tree = C45Classifier(criterion="gain", nominal=[1], prune=False, observed_thresholds=False)

    assert tree.fit(FIVE_PAGES, IS_ARTICLE).tree_.threshold[0] == 57.5


def test_unknown_values_tell_nothing() -> None:
    assert gain([[2, 0], [0, 2]], unknown=4) == pytest.approx(0.5)


def test_many_branches_cost_gain_ratio() -> None:
    assert gain_ratio(1.0, [1, 1, 1, 1]) == pytest.approx(0.5)
    assert gain_ratio(1.0, [4, 0]) == 0


@given(TABLES, WEIGHTS)
def test_no_split_loses_information_nor_tells_more_than_there_is(table: list[list[float]], unknown: float) -> None:
    told = gain(table, unknown)

    assert 0 <= told <= information(np.sum(table, axis=0)) + 1e-6
    assert gain_ratio(told, np.sum(table, axis=1), unknown) >= 0
