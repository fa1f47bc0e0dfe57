"""What a set of cases leaves unknown about their class, and how much of it a split tells."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Weights and differences below this are rounding, not evidence.
SMALL = 1e-6


def xlog2x(x: Floats) -> Floats:
    """Return x log₂ x, which is 0 where x is (or rounds to) 0."""
    logarithm: Floats = np.log2(np.maximum(x, SMALL))
    logarithm *= x
    logarithm[x < SMALL] = 0.0
    return logarithm


def information(weights: Iterable[float]) -> float:
    """Return the entropy in bits of a class distribution: info(T)."""
    # Distributions are short, and for a handful of numbers plain arithmetic is several times faster than arrays.
    present = [float(weight) for weight in weights if weight >= SMALL]
    total = sum(present)
    return sum(-weight / total * math.log2(weight / total) for weight in present) if len(present) > 1 else 0.0


def gain(table: ArrayLike, unknown: float = 0.0) -> float:
    """Return the bits that a split tells of the class: a line a branch, a column a class, and the unknown weight."""
    branches = np.asarray(table, dtype=np.float64)
    known = float(branches.sum())
    if known <= SMALL:
        return 0.0
    left_open = float(xlog2x(branches.sum(axis=1)).sum() - xlog2x(branches).sum())
    return max(known * information(branches.sum(axis=0)) - left_open, 0.0) / (known + unknown)


def gain_ratio(gained: float, branches: Iterable[float], unknown: float = 0.0) -> float:
    """Return the gain over the entropy of the branches themselves, of which unknown values are one more."""
    weights = [*branches, unknown]
    own = information(weights)
    # Where all cases take one branch, nothing was split.
    return gained / own if own * sum(weights) > SMALL else 0.0
