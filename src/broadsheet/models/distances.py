"""How far a line attends to others, and which distances count alike."""

import numpy as np
from numpy.typing import NDArray

#: How many lines before and after itself a line attends to, which bounds the cost of one line.
WINDOW = 63
#: Distances are put together by their logarithm, so that only the nearest count each on its own.
_STEPS_PER_DOUBLING = 1.6


def distance_steps() -> NDArray[np.int64]:
    """Return the step, from 0, of each distance from `-WINDOW` to `WINDOW`."""
    distances = np.arange(-WINDOW, WINDOW + 1)
    steps = np.sign(distances) * np.rint(_STEPS_PER_DOUBLING * np.log2(np.abs(distances) + 1))
    return np.unique(steps, return_inverse=True)[1].astype(np.int64)
