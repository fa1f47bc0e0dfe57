import numpy as np
from numpy.typing import NDArray

from broadsheet.models.net import Weights, Words

def kernels() -> list[int]: ...

class Forward:
    def __init__(self, weights: Weights, words: Words, reaches: tuple[int, ...]) -> None: ...
    def probabilities(
        self,
        rows: NDArray[np.float32],
        words: NDArray[np.int32],
        counts: NDArray[np.int32],
        lengths: NDArray[np.float32],
        *,
        kernel: int | None = None,
    ) -> NDArray[np.float32]: ...
