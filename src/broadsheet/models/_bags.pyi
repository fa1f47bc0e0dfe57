import numpy as np
from numpy.typing import NDArray

def add_rows(
    words: NDArray[np.int32],
    counts: NDArray[np.int32],
    rows: NDArray[np.int8],
    scale: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None: ...
