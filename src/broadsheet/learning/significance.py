"""Significance tests for the difference between two learners."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from broadsheet.base.errors import InputError


@dataclass(frozen=True)
class Significance:
    """The result of a significance test of two learners."""

    #: The mean difference of their scores.
    difference: float
    t: float
    #: The two-sided probability of a difference this large between equal learners.
    p: float


def corrected_resampled_t_test(first: ArrayLike, second: ArrayLike, test_to_train: float) -> Significance:
    """Compare two learners' scores on the same resampled splits, allowing for the overlap of their training data.

    `test_to_train` is the size of the test set over that of the training set: 1/9 for ten folds. The plain paired
    t-test treats overlapping splits as independent and reports differences where there are none (Nadeau and Bengio,
    Inference for the Generalization Error, 2003).
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or len(a) < 2:
        raise InputError("the t-test needs two scores or more, the same number for both learners")
    if not test_to_train > 0:
        raise InputError(f"test_to_train must be above 0, not {test_to_train!r}")
    differences = a - b
    mean = float(differences.mean())
    spread = math.sqrt((1 / len(a) + test_to_train) * float(differences.var(ddof=1)))
    if spread == 0:
        return Significance(mean, math.copysign(math.inf, mean) if mean else 0.0, 0.0 if mean else 1.0)
    t = mean / spread
    return Significance(mean, t, 2 * float(stdtr(len(a) - 1, -abs(t))))
