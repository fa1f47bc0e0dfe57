import numpy as np
from numpy.typing import NDArray

from broadsheet.models.instance_base import InstanceBase

def classify(
    base: InstanceBase,
    queries: NDArray[np.int32],
    weights: NDArray[np.float64],
    scales: NDArray[np.float64],
    counts: NDArray[np.int32],
    rank: NDArray[np.int32],
    k: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
def grow(rows: NDArray[np.int32]) -> list[NDArray[np.int32]]: ...
