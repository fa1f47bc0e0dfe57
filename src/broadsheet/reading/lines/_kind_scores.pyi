import numpy as np
from numpy.typing import NDArray

def kind_scores(
    pieces: list[int],
    kind: int,
    first: NDArray[np.int64],
    rows: NDArray[np.float32],
    words: NDArray[np.int32],
    counts: NDArray[np.int32],
    mean: NDArray[np.float32],
    deviation: NDArray[np.float32],
    features: NDArray[np.float32],
    word_weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    limit: float,
) -> list[float]: ...
