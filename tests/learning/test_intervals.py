import numpy as np
import pytest
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.intervals import bootstrap, bootstrap_by_group


def mean(column: NDArray[np.float64]) -> float:
    return float(column.mean())


def test_the_interval_contains_the_value_and_is_reproducible() -> None:
    right = (np.arange(200) % 4 > 0).astype(float).tolist()

    interval = bootstrap(right)

    assert interval.value == 0.75
    assert 0.66 < interval.low < 0.75 < interval.high < 0.84
    assert interval == bootstrap(right)


def test_the_interval_of_many_resamples_agrees_with_theory() -> None:
    values = np.random.default_rng(5).random(400).tolist()

    interval = bootstrap(values)

    error = 1.96 * np.std(values) / 20
    assert interval.low == pytest.approx(interval.value - error, abs=0.006)
    assert interval.high == pytest.approx(interval.value + error, abs=0.006)


def test_groups_of_one_are_resampled_like_single_values() -> None:
    values = np.random.default_rng(5).random(60)

    assert bootstrap_by_group(mean, np.arange(60), values) == bootstrap(values.tolist())


def test_groups_are_resampled_as_a_whole() -> None:
    right = np.repeat([1.0, 0.0, 1.0, 0.0], 50)

    by_page = bootstrap(right.tolist())
    by_site = bootstrap_by_group(mean, np.repeat(["a", "b", "c", "d"], 50), right)

    assert by_site.high - by_site.low > 3 * (by_page.high - by_page.low)


def test_columns_must_be_as_long_as_the_groups() -> None:
    with pytest.raises(InputError, match="as long as the groups"):
        bootstrap_by_group(mean, ["a"], [1, 2])
