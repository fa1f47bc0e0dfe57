import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Columns, Ints

def measure_address(path: str, query: str, vocabulary: dict[str, int], row: NDArray[np.float32]) -> None: ...
def measure_anchor(text: str, marks: str, ends: str, row: NDArray[np.float32]) -> None: ...
def measure_shape(
    columns: Columns,
    tag_kinds: bytes,
    counted: tuple[int, ...],
    paragraph: int,
    long_paragraph: int,
    headline: int,
    row: NDArray[np.float32],
) -> None: ...
def sum_terms(found: Ints, weights: NDArray[np.float64], sums: NDArray[np.float64]) -> None: ...
def strongest_terms(
    found: Ints, weights: NDArray[np.float32], kind: int, rival: int, factor: float, least: float, most: int
) -> list[int]: ...
