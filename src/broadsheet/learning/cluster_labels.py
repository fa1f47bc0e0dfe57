"""Labels without labelled cases: two clusters, and how well a division holds together (entropy and silhouette)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

_ROUNDS = 50
#: Silhouettes are computed over at most this many rows, taken evenly.
MAX_COMPARED = 400
BINS = 8


def standardised(rows: Floats) -> Floats:
    """Return columns of mean 0 and deviation 1; what is unknown becomes the mean."""
    known = np.where(np.isnan(rows), np.nan, rows)
    counts = np.maximum((~np.isnan(known)).sum(axis=0), 1)
    means = np.nansum(known, axis=0) / counts
    filled = np.where(np.isnan(known), means, known) - means
    deviations = np.sqrt((filled**2).mean(axis=0))
    scaled: Floats = filled / np.where(deviations > 0, deviations, 1)
    return scaled


def two_clusters(rows: Floats, towards: Floats) -> NDArray[np.bool_]:
    """Divide rows by k-means with two centres; True is the cluster that lies farther in the given direction.

    The first centres are the two halves of the rows in that direction, so that the same rows give the same clusters.
    """
    lead = rows @ towards
    if not len(rows) or lead.min() == lead.max():
        return np.zeros(len(rows), np.bool_)
    middle = np.median(lead)
    # If the greater half is all alike, nothing is above the middle.
    chosen = lead > middle if (lead > middle).any() else lead >= middle
    for _ in range(_ROUNDS):
        centres = [rows[part].mean(axis=0) for part in (~chosen, chosen)]
        far, near = (((rows - centre) ** 2).sum(axis=1) for centre in centres)
        again = near < far
        if not again.any() or again.all() or (again == chosen).all():
            break
        chosen = again
    is_ahead = lead[chosen].mean() >= lead[~chosen].mean()
    return chosen if is_ahead else ~chosen


def silhouette(rows: Floats, labels: Numbers) -> float:
    """Return the mean silhouette: 1 if every row is close to its own class and far from others; NaN for one class."""
    step = max(1, -(-len(rows) // MAX_COMPARED))
    rows, labels = rows[::step], labels[::step]
    classes = np.unique(labels)
    if len(classes) < 2:
        return float("nan")
    distances = np.sqrt(np.maximum(((rows[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2), 0))
    sizes = np.array([(labels == each).sum() for each in classes])
    sums = np.column_stack([distances[:, labels == each].sum(axis=1) for each in classes])
    own = np.searchsorted(classes, labels)
    place = np.arange(len(rows))
    inside = sums[place, own] / np.maximum(sizes[own] - 1, 1)
    outside = sums / sizes
    outside[place, own] = np.inf
    nearest = outside.min(axis=1)
    widths = np.where(sizes[own] > 1, (nearest - inside) / np.maximum(np.maximum(nearest, inside), 1e-12), 0)
    return float(widths.mean())


def class_entropy(rows: Floats, labels: Numbers) -> float:
    """Return the mean entropy, in bits, of the binned columns within the classes: low if each class is of one piece."""
    total = 0.0
    for column in rows.T:
        low, high = float(column.min()), float(column.max())
        bins = np.clip(((column - low) / max(high - low, 1e-12) * BINS).astype(np.intp), 0, BINS - 1)
        for each in np.unique(labels):
            inside = bins[labels == each]
            shares = np.bincount(inside, minlength=BINS) / len(inside)
            shares = shares[shares > 0]
            total += float(-(shares * np.log2(shares)).sum()) * len(inside) / len(labels)
    return total / len(rows.T)
