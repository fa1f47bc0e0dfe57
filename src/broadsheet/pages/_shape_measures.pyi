import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Columns

def measure_shape(
    columns: Columns,
    tag_kinds: bytes,
    counted: tuple[int, ...],
    paragraph: int,
    long_paragraph: int,
    headline: int,
    date_lines: int,
    row: NDArray[np.float32],
    counts: NDArray[np.float32],
) -> None: ...
