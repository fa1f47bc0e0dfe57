"""Select the lines of the body by their probabilities, so that the expected F-score is highest, and fill its gaps."""

import numpy as np
from numpy.typing import NDArray

#: What stands between two lines of the body is mostly part of it, such as a heading that looks like any other short
#: line: gaps of at most so many lines are filled with those that are at least so likely and have few links.
LONGEST_GAP, LEAST_IN_GAP, MOST_LINKS_IN_GAP = 4, 0.2, 0.3


def choose(probabilities: NDArray[np.floating], words: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the lines whose words maximize the expected F-score; ties go to fewer lines.

    As lines are added in order of probability, the expected F-score rises and then falls. The threshold is therefore
    lower on pages where the model is unsure, and higher where it is sure.
    """
    order = (-probabilities).argsort(kind="stable")
    sizes = words.take(order).astype(np.float64)
    correct = probabilities.take(order) * sizes
    expected = 2 * correct.cumsum() / (sizes.cumsum() + correct.sum() + 1e-9)
    chosen = np.zeros(len(probabilities), np.bool_)
    chosen[order[: int(expected.argmax()) + 1]] = True
    return chosen


def fill_gaps(
    chosen: NDArray[np.bool_], probabilities: NDArray[np.floating], links: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """Add lines in short gaps between chosen lines; `links` are the shares of their characters in links."""
    place, reach = np.arange(len(chosen)), LONGEST_GAP + 1
    before = np.maximum.accumulate(np.where(chosen, place, -reach - 1))
    after = np.minimum.accumulate(np.where(chosen, place, len(chosen) + reach)[::-1])[::-1]
    in_gap = after - before <= reach
    filled: NDArray[np.bool_] = chosen | (in_gap & (probabilities >= LEAST_IN_GAP) & (links <= MOST_LINKS_IN_GAP))
    return filled
