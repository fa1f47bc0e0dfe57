"""Binary cuts of numeric features, and the information gain of each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.learning.c45._entropy import SMALL, Floats, xlog2x
from broadsheet.learning.c45._tree import Integers


@dataclass(frozen=True)
class Cuts:
    """All candidate cuts of some numeric features, feature by feature."""

    #: Where the cuts are: one row per feature, one column per case, cutting after it.
    allowed: NDArray[np.bool_]
    line: Integers
    place: Integers
    #: The weight below each cut, and the weight of all known values of each feature.
    below: Floats
    known: Floats


def find_cuts(values: Floats, weights: Floats, least: Floats, resolution: float) -> Cuts:
    """Find the cuts between distinct sorted values that leave at least the minimum weight on both sides."""
    left = np.cumsum(weights, axis=1)
    known, below = left[:, -1], left[:, :-1]
    # The difference of very large numbers may overflow to infinity, which is far enough.
    with np.errstate(over="ignore"):
        allowed = values[:, 1:] - values[:, :-1] > resolution
    allowed &= below >= least[:, None] - SMALL
    allowed &= below <= (known - least)[:, None] + SMALL
    line, place = np.nonzero(allowed)
    return Cuts(allowed, line, place, below[allowed], known)


def gains_times_weight(classes: Integers, weights: Floats, cuts: Cuts, present: Integers) -> Floats:
    """Return the gain of every cut, multiplied by the weight of all cases."""
    if not cuts.line.size:
        return cuts.below
    told = -xlog2x(cuts.below) - xlog2x(cuts.known[cuts.line] - cuts.below)
    before = xlog2x(cuts.known)
    rest_below, rest_known = cuts.below.copy(), cuts.known.copy()
    for each in present[:-1]:
        left = np.cumsum(weights * (classes == each), axis=1)
        below, known = left[:, :-1][cuts.allowed], left[:, -1]
        told += xlog2x(below) + xlog2x(known[cuts.line] - below)
        before -= xlog2x(known)
        rest_below -= below
        rest_known -= known
    # The remaining weight belongs to the last class.
    told += xlog2x(rest_below) + xlog2x(rest_known[cuts.line] - rest_below)
    return told + (before - xlog2x(rest_known))[cuts.line]


def first_best(gains: Floats) -> int:
    """Return the index of the best gain; a gain that is better only by rounding does not displace an earlier one."""
    best = int(np.argmax(gains))
    near = gains[: best + 1] >= gains[best] - SMALL
    if np.count_nonzero(near) == 1:
        return best
    held, at = 0.0, 0
    for index in np.flatnonzero(gains[: best + 1] >= np.maximum.accumulate(gains[: best + 1])):
        if gains[index] > held + SMALL:
            held, at = float(gains[index]), int(index)
    return at
