import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from broadsheet.training._boosting import bin_thresholds, fit_weighted

ROWS = 900


def estimator(bins: int) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(max_iter=8, max_bins=bins, max_features=0.7, random_state=0)


@pytest.mark.parametrize("bins", [15, 255])
def test_the_trees_are_those_that_scikit_learn_grows(bins: int) -> None:
    rng = np.random.default_rng(3)
    # Many values, few of them, values that come again and again, and values that are missing.
    rows = np.column_stack([rng.normal(size=ROWS), rng.integers(0, 9, ROWS), rng.zipf(1.5, ROWS), rng.random(ROWS)])
    rows[rng.random(ROWS) < 0.1, 3] = np.nan
    rows = rows.astype(np.float32)
    truth = (rows[:, 0] > 0).astype(np.intp) + (rows[:, 2] > 2)
    weights = rng.choice([0.5, 1.0, rng.random()], ROWS)

    plain, ours = estimator(bins), estimator(bins)
    with threadpool_limits(limits=1):
        plain.fit(rows, truth, sample_weight=weights)
    fit_weighted(ours, rows, truth, weights)

    for expected, found in zip(plain._predictors, ours._predictors, strict=True):
        for one, other in zip(expected, found, strict=True):
            for column in ("feature_idx", "num_threshold", "left", "right", "value", "missing_go_to_left"):
                np.testing.assert_array_equal(one.nodes[column], other.nodes[column])


def test_bins_are_of_equal_weight() -> None:
    values, weights = np.arange(8.0), np.array([1.0, 1, 1, 1, 4, 4, 4, 4])

    assert bin_thresholds(values, weights, 5).tolist() == [3.5, 4.5, 5.5, 6.5]
