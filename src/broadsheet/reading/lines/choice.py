"""Which lines to take, given how likely each is body: those with the highest F to be expected."""

import numpy as np
from numpy.typing import NDArray


def choose(likely: NDArray[np.floating], words: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the lines whose words have the highest expected F with the body; of equals the fewest lines.

    Taking lines in the order of their probability, F rises and falls again. So a page that a model is unsure of
    is still read, at a lower bar, and one that it is sure of at a higher one.
    """
    order = np.argsort(-likely, kind="stable")
    taken = words[order].astype(np.float64)
    right = likely[order] * taken
    expected = 2 * np.cumsum(right) / (np.cumsum(taken) + right.sum() + 1e-9)
    chosen = np.zeros(len(likely), np.bool_)
    chosen[order[: int(np.argmax(expected)) + 1]] = True
    return chosen
