import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints

def group_links(parent: Ints, tag: Ints, node: Ints, style: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.uint64]]: ...
