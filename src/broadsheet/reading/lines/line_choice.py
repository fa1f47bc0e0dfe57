"""Select the lines of the body by their probabilities, so that the expected F-score is highest."""

import numpy as np
from numpy.typing import NDArray


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
