import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Keys = NDArray[np.uint64]
Floats = NDArray[np.float32]

def element_lines(parent: Ints, piece_start: Ints, piece_end: Ints, first: NDArray[np.int64], pieces: int) -> Ints: ...
def measure(
    tag: Ints,
    parent: Ints,
    ranges: Ints,
    names: Keys,
    block: Ints,
    inner: Ints,
    text: Floats,
    level_of_tag: Ints,
    title: int,
    rows: Floats,
    column: int,
) -> int: ...
