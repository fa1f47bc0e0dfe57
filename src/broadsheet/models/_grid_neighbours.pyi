import numpy as np
from numpy.typing import NDArray

def classify(
    columns: NDArray[np.uint16],
    queries: NDArray[np.uint16],
    starts: NDArray[np.int32],
    exact: NDArray[np.float64],
    table: NDArray[np.float32],
    settings: int,
    first: NDArray[np.int32],
    codes: NDArray[np.int32],
    counts: NDArray[np.int32],
    stored: NDArray[np.uint8],
    rank: NDArray[np.int32],
    most: int,
) -> NDArray[np.uint8]: ...
