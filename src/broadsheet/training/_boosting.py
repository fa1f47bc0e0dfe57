"""Boosted trees on weighted rows.

scikit-learn looks for the bins of a feature percentile by percentile, and sorts the feature for each: on many features
with few rows, that takes several times as long as growing the trees. Here the rows are put into the same bins at once,
and the trees get the thresholds of these bins afterwards, so they are the trees that `fit` would have grown.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

#: Of more rows than this, scikit-learn looks for bins in a sample, which takes it little time.
MAX_ROWS = 200_000

Doubles = NDArray[np.float64]


def fit_weighted(estimator: Any, rows: NDArray[np.float32], truth: NDArray[np.intp], weights: Doubles) -> None:  # noqa: ANN401
    """Fit a `HistGradientBoostingClassifier` in one thread to rows with weights above 0."""
    binned, thresholds = rows.astype(np.float64), dict[int, Doubles]()
    if len(rows) <= MAX_ROWS:
        for feature, column in enumerate(binned.T):
            known = ~np.isnan(column)
            if len(np.unique(column[known])) > estimator.max_bins:
                between = bin_thresholds(column[known], weights[known], estimator.max_bins)
                # Bins without a row are left out, so that half of a number parts each bin from the next.
                there, column[known] = np.unique(np.searchsorted(between, column[known]), return_inverse=True)
                thresholds[feature] = between[there[:-1]]
    # The order of additions changes the trees, and the same data must give the same bytes.
    with threadpool_limits(limits=1):
        estimator.fit(binned, truth, sample_weight=weights)
    for predictor in (predictor for iteration in estimator._predictors for predictor in iteration):  # noqa: SLF001
        nodes = predictor.nodes
        # A threshold of infinity parts what is missing from the rest.
        for node in np.flatnonzero((nodes["is_leaf"] == 0) & np.isfinite(nodes["num_threshold"])).tolist():
            if (feature := int(nodes["feature_idx"][node])) in thresholds:
                nodes["num_threshold"][node] = thresholds[feature][int(nodes["num_threshold"][node])]


def bin_thresholds(values: Doubles, weights: Doubles, bins: int) -> Doubles:
    """Return the values that part a feature into bins of equal weight; each belongs to the bin below it."""
    # Sorted twice, as scikit-learn does: equal values may change places, and sums of their weights in the last digit.
    for _ in range(2):
        order = np.argsort(values)
        values, weights = values[order], weights[order]
    summed = np.cumsum(weights)
    wanted = np.linspace(0, 100, num=bins + 1)[1:-1] / 100 * summed[-1]
    places = np.minimum(np.searchsorted(summed, wanted), len(values) - 1)
    is_between = summed[places] - wanted <= np.finfo(np.float64).eps
    higher = values[np.minimum(places + 1, len(values) - 1)]
    return np.unique(np.where(is_between, (values[places] + higher) / 2, values[places]))
