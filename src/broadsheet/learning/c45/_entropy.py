"""Entropy, information gain and gain ratio."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Weights and differences below this are rounding errors.
SMALL = 1e-6


def xlog2x(x: Floats) -> Floats:
    """Return x log₂ x, which is 0 if x is (or rounds to) 0."""
    logarithm: Floats = np.log2(np.maximum(x, SMALL))
    logarithm *= x
    logarithm[x < SMALL] = 0.0
    return logarithm


def information(weights: Iterable[float]) -> float:
    """Return the entropy in bits of a class distribution: info(T)."""
    # Distributions are short, and for a few numbers plain arithmetic is several times faster than arrays.
    present = [float(weight) for weight in weights if weight >= SMALL]
    total = sum(present)
    return sum(-weight / total * math.log2(weight / total) for weight in present) if len(present) > 1 else 0.0


def gain(table: ArrayLike, unknown: float = 0.0) -> float:
    """Return the information gain of a split in bits, from weights by branch and class, and the unknown weight."""
    branches = np.asarray(table, dtype=np.float64)
    known = float(branches.sum())
    if known <= SMALL:
        return 0.0
    left_open = float(xlog2x(branches.sum(axis=1)).sum() - xlog2x(branches).sum())
    return max(known * information(branches.sum(axis=0)) - left_open, 0.0) / (known + unknown)


def gain_ratio(gained: float, branches: Iterable[float], unknown: float = 0.0) -> float:
    """Return the gain over the split information, in which unknown values count as one more branch."""
    weights = [*branches, unknown]
    own = information(weights)
    # If all cases take one branch, nothing was split.
    return gained / own if own * sum(weights) > SMALL else 0.0
