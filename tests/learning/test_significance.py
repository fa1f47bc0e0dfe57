import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.learning.significance import corrected_resampled_t_test


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
def test_the_test_is_symmetric(scores: list[tuple[float, float]]) -> None:
    first, second = zip(*scores, strict=True)

    one = corrected_resampled_t_test(first, second, 0.25)
    other = corrected_resampled_t_test(second, first, 0.25)

    assert one.p == pytest.approx(other.p)
    assert 0 <= one.p <= 1


def test_a_single_score_is_refused() -> None:
    with pytest.raises(InputError, match="two scores or more"):
        corrected_resampled_t_test([1], [0], 0.1)
