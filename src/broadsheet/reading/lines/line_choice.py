"""Select the lines of the body by their probabilities, so that the expected F-score is highest, and fill its gaps."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.reading._line_scans import choose_in_order, fill

#: What stands between two lines of the body is mostly part of it, such as a heading that looks like any other short
#: line: gaps of at most so many lines are filled with those that are at least so likely and have few links.
LONGEST_GAP, MIN_IN_GAP, MAX_LINKS_IN_GAP = 4, 0.2, 0.3


def choose(probabilities: NDArray[np.float32], words: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the lines whose words maximize the expected F-score; ties go to fewer lines.

    As lines are added in order of probability, the expected F-score rises and then falls. The threshold is therefore
    lower on pages where the model is unsure, and higher where it is sure.
    """
    order = (-probabilities).argsort(kind="stable")
    return choose_in_order(order, probabilities, words).view(np.bool_)


def fill_gaps(
    chosen: NDArray[np.bool_], probabilities: NDArray[np.float32], links: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Add lines in short gaps between chosen lines; `links` are the shares of their characters in links."""
    filled = chosen.astype(np.uint8)
    fill(filled, probabilities, links, LONGEST_GAP, MIN_IN_GAP, MAX_LINKS_IN_GAP)
    return filled.view(np.bool_)
