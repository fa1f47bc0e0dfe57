"""Whether held-out pages are read clearly better by a reader that was adapted to others."""

import numpy as np
from numpy.typing import NDArray

#: A smaller gain in F is not worth another model.
MIN_GAIN = 0.001


def certain_gain(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean gain over pages, which are the last axis, less its standard error."""
    gains = after - before
    certain: NDArray[np.float64] = gains.mean(axis=-1) - gains.std(axis=-1, ddof=1) / np.sqrt(gains.shape[-1])
    return certain
