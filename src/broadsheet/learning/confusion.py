"""How many cases of each kind were taken for which, and the figures that follow from these counts."""

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def confusion(truth: NDArray[np.intp], found: NDArray[np.intp], kinds: int) -> Counts:
    """Count the cases of each kind, by row, that were taken for which, by column; kinds are numbered from 0."""
    counts: Counts = np.zeros((kinds, kinds), np.int64)
    np.add.at(counts, (truth, found), 1)
    return counts


def recalls(counts: Counts) -> Floats:
    """Return the share of each kind that was found to be so, 0 for a kind of which there are no cases."""
    shares: Floats = np.diag(counts) / np.maximum(counts.sum(axis=1), 1)
    return shares


def f_by_kind(counts: Counts) -> Floats:
    """Return the harmonic mean of precision and recall of each kind, 0 for one that is neither there nor found."""
    shares: Floats = 2 * np.diag(counts) / np.maximum(counts.sum(axis=0) + counts.sum(axis=1), 1)
    return shares


def balanced_accuracy(counts: Counts) -> float:
    """Return the mean over the kinds of the share that was found to be so."""
    return float(recalls(counts).mean())


def macro_f(counts: Counts) -> float:
    """Return the mean over the kinds of the harmonic mean of precision and recall."""
    return float(f_by_kind(counts).mean())
