"""Select the lines of the body by their probabilities, so that the expected F-score is highest."""

import numpy as np
from numpy.typing import NDArray


def choose(probabilities: NDArray[np.floating], words: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the lines whose words maximize the expected F-score; ties go to fewer lines.

    As lines are added in order of probability, the expected F-score rises and then falls. The threshold is therefore
    lower on pages where the model is unsure, and higher where it is sure.
    """
    order = np.argsort(-probabilities, kind="stable")
    sizes = words[order].astype(np.float64)
    correct = probabilities[order] * sizes
    expected = 2 * np.cumsum(correct) / (np.cumsum(sizes) + correct.sum() + 1e-9)
    chosen = np.zeros(len(probabilities), np.bool_)
    chosen[order[: int(np.argmax(expected)) + 1]] = True
    return chosen
