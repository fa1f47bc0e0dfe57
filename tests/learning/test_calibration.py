import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.learning.calibration import calibration_error, class_calibration_errors, fit_temperature, reliability
from broadsheet.models.trees import apply_link


def test_scores_that_are_twice_too_sure_get_a_temperature_of_two() -> None:
    random = np.random.default_rng(3)
    scores = random.normal(size=(20_000, 3)) * 2
    probabilities = apply_link(scores, "softmax")
    truth = (probabilities.cumsum(axis=1) < random.random((len(scores), 1))).sum(axis=1).astype(np.intp)

    temperature = fit_temperature(scores * 2, truth, np.ones(len(truth)))

    assert temperature == pytest.approx(2, rel=0.06)


def test_the_error_is_how_far_sureness_and_success_lie_apart() -> None:
    probabilities = np.array([[0.8, 0.2]] * 10)
    truth = np.array([0] * 6 + [1] * 4, np.intp)

    assert calibration_error(probabilities, truth, np.ones(10)) == pytest.approx(0.2)


def test_a_class_that_is_stated_more_often_than_it_occurs_has_an_error_of_its_own() -> None:
    probabilities = np.array([[0.8, 0.15, 0.05]] * 10)
    truth = np.array([0] * 6 + [1] * 4, np.intp)

    assert class_calibration_errors(probabilities, truth) == pytest.approx([0.2, 0.25, 0.05])


def test_certainty_that_is_always_wrong_is_wholly_uncalibrated() -> None:
    assert calibration_error(np.array([[1.0, 0.0]] * 2), np.array([1, 1]), np.ones(2)) == 1


def test_tenths_count_by_the_weights_of_their_answers() -> None:
    # Three answers sure and right; one half sure, wrong, and as heavy as all of them.
    probabilities = np.array([[1.0, 0.0]] * 3 + [[0.5, 0.5]])

    assert calibration_error(probabilities, np.array([0, 0, 0, 1]), np.array([1.0, 1, 1, 3])) == pytest.approx(0.25)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_the_error_lies_between_0_and_1(rows: list[tuple[float, int]]) -> None:
    probabilities = np.array([[share, 1 - share] for share, _ in rows])

    assert 0 <= calibration_error(probabilities, np.array([truth for _, truth in rows]), np.ones(len(rows))) <= 1


def test_answers_are_gathered_by_how_sure_they_were() -> None:
    probabilities = np.array([[0.8, 0.2]] * 10 + [[0.45, 0.55]] * 4)
    truth = np.array([0] * 6 + [1] * 4 + [1] * 4, np.intp)

    tenths = reliability(probabilities, truth)

    assert [(tenth.size, round(tenth.confidence, 3), tenth.accuracy) for tenth in tenths] == [
        (4, 0.55, 1.0),
        (10, 0.8, 0.6),
    ]
