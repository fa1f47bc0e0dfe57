"""Confusion matrices, and the figures derived from them."""

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def confusion(truth: NDArray[np.intp], predicted: NDArray[np.intp], kinds: int) -> Counts:
    """Count cases by true kind (rows) and predicted kind (columns); kinds are numbered from 0."""
    counts: Counts = np.zeros((kinds, kinds), np.int64)
    np.add.at(counts, (truth, predicted), 1)
    return counts


def recalls(counts: Counts) -> Floats:
    """Return the recall of each kind, 0 for a kind without cases."""
    shares: Floats = np.diag(counts) / np.maximum(counts.sum(axis=1), 1)
    return shares


def f_by_kind(counts: Counts) -> Floats:
    """Return the F1 score of each kind, 0 for a kind that neither occurs nor is predicted."""
    shares: Floats = 2 * np.diag(counts) / np.maximum(counts.sum(axis=0) + counts.sum(axis=1), 1)
    return shares


def balanced_accuracy(counts: Counts) -> float:
    """Return the mean recall over the kinds."""
    return float(recalls(counts).mean())


def macro_f(counts: Counts) -> float:
    """Return the mean F1 score over the kinds."""
    return float(f_by_kind(counts).mean())
