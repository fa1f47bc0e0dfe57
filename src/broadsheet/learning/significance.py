"""Whether one of two learners is better, or only luckier."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from broadsheet.base.errors import InputError


@dataclass(frozen=True)
class Significance:
    """How sure it is that one of two learners is better."""

    #: The mean difference of their scores.
    difference: float
    t: float
    #: The two-sided probability of a difference this large between equals.
    p: float


def corrected_resampled_t_test(first: ArrayLike, second: ArrayLike, test_to_train: float) -> Significance:
    """Compare two learners' scores on the same resampled splits, allowing for the overlap of their training data.

    `test_to_train` is the size of a test part over that of its training part: 1/9 for ten folds. The plain paired
    t-test takes overlapping splits for independent ones and finds differences where there are none (Nadeau and Bengio).
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape or len(one) < 2:
        raise InputError("two scores or more are needed, as many of one learner as of the other")
    if not test_to_train > 0:
        raise InputError(f"test_to_train is above 0, not {test_to_train!r}")
    differences = one - other
    mean = float(differences.mean())
    spread = math.sqrt((1 / len(one) + test_to_train) * float(differences.var(ddof=1)))
    if spread == 0:
        return Significance(mean, math.copysign(math.inf, mean) if mean else 0.0, 0.0 if mean else 1.0)
    t = mean / spread
    return Significance(mean, t, 2 * float(stdtr(len(one) - 1, -abs(t))))
