import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints

def group_links(parent: Ints, tag: Ints, node: Ints, style: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.uint64]]: ...
def largest_group(
    parent: Ints,
    tag: Ints,
    node: Ints,
    style: Ints,
    piece_start: Ints,
    piece_end: Ints,
    words: Ints,
    least: int,
) -> int: ...
