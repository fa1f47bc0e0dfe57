import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints

def sum_terms(found: Ints, weights: NDArray[np.float64], sums: NDArray[np.float64]) -> None: ...
def strongest_terms(
    found: Ints, weights: NDArray[np.float32], kind: int, rival: int, factor: float, least: float, most: int
) -> list[int]: ...
