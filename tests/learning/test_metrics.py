import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.metrics import bootstrap_interval, corrected_resampled_t_test, expected_calibration_error


def mean(column: NDArray[np.float64]) -> float:
    return float(column.mean())


def test_confidence_that_equals_accuracy_is_calibrated() -> None:
    probabilities = [[0.75, 0.25]] * 4

    assert expected_calibration_error(["a", "a", "a", "b"], probabilities, ["a", "b"]) == pytest.approx(0)


def test_certainty_that_is_always_wrong_is_wholly_uncalibrated() -> None:
    assert expected_calibration_error([1, 1], [[1.0, 0.0]] * 2, [0, 1]) == 1


def test_bins_count_by_their_rows() -> None:
    # Three rows sure and right; one row half sure and wrong.
    error = expected_calibration_error([0, 0, 0, 1], [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.5, 0.5]], [0, 1])

    assert error == pytest.approx(0.5 / 4)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_calibration_error_lies_between_0_and_1(rows: list[tuple[float, bool]]) -> None:
    probabilities = [[share, 1 - share] for share, _ in rows]

    assert 0 <= expected_calibration_error([int(truth) for _, truth in rows], probabilities, [0, 1]) <= 1


def test_probabilities_of_another_shape_are_refused() -> None:
    with pytest.raises(InputError, match="do not fit"):
        expected_calibration_error([0, 1], [[1.0, 0.0]], [0, 1])


def test_the_corrected_test_allows_for_overlap() -> None:
    first, second = [0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.8, 0.85]
    differences = np.subtract(first, second)

    corrected = corrected_resampled_t_test(first, second, test_to_train=1 / 3)

    plain = differences.mean() / math.sqrt(differences.var(ddof=1) / 4)
    assert corrected.difference == pytest.approx(0.0625)
    assert corrected.t == pytest.approx(plain * math.sqrt((1 / 4) / (1 / 4 + 1 / 3)))
    assert corrected.p == pytest.approx(0.0467, abs=1e-4)


def test_the_probability_is_that_of_the_t_distribution() -> None:
    # With two scores there is one degree of freedom: the Cauchy distribution, where |t| > 1 has probability one half.
    test = corrected_resampled_t_test([2.0, 0.0], [0.0, 0.0], test_to_train=0.5)

    assert test.t == pytest.approx(1 / math.sqrt(2))
    assert test.p == pytest.approx(1 - 2 / math.pi * math.atan(1 / math.sqrt(2)))


def test_equal_learners_do_not_differ() -> None:
    assert corrected_resampled_t_test([0.5, 0.6], [0.5, 0.6], 0.1).p == 1
    assert corrected_resampled_t_test([0.6, 0.7], [0.5, 0.6], 0.1).p == pytest.approx(0, abs=1e-6)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=20))
def test_the_test_does_not_mind_who_comes_first(scores: list[tuple[float, float]]) -> None:
    first, second = zip(*scores, strict=True)

    one = corrected_resampled_t_test(first, second, 0.25)
    other = corrected_resampled_t_test(second, first, 0.25)

    assert one.p == pytest.approx(other.p)
    assert 0 <= one.p <= 1


def test_one_score_proves_nothing() -> None:
    with pytest.raises(InputError, match="two scores or more"):
        corrected_resampled_t_test([1], [0], 0.1)


def test_the_interval_holds_the_score_and_repeats() -> None:
    right = np.arange(200) % 4 > 0

    interval = bootstrap_interval(mean, right)

    assert interval.score == 0.75
    assert 0.66 < interval.low < 0.75 < interval.high < 0.84
    assert interval == bootstrap_interval(mean, right)


def test_groups_are_drawn_whole() -> None:
    right = np.repeat([1.0, 0.0, 1.0, 0.0], 50)

    by_row = bootstrap_interval(mean, right)
    by_site = bootstrap_interval(mean, right, groups=np.repeat(["a", "b", "c", "d"], 50))

    assert by_site.high - by_site.low > 3 * (by_row.high - by_row.low)


def test_columns_have_to_be_of_one_length() -> None:
    with pytest.raises(InputError, match="differ in length"):
        bootstrap_interval(mean, [1, 2], [1])
    with pytest.raises(InputError, match="groups"):
        bootstrap_interval(mean, [1, 2], groups=["a"])
