import numpy as np
from numpy.typing import NDArray

def add_product(
    left: NDArray[np.float32], right: NDArray[np.float32], sums: NDArray[np.float32], *, portable: bool = False
) -> None: ...
