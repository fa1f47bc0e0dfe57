from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=Hashable)

def number_names(known: dict[T, int], names: Sequence[T], numbers: NDArray[np.int64]) -> None: ...
def sort_occurrences(
    collections: NDArray[np.int64],
    targets: NDArray[np.int64],
    positions: NDArray[np.int32],
    occurrences: NDArray[np.int64],
    sorted_positions: NDArray[np.int32],
) -> None: ...
def compare_occurrences(
    before: NDArray[np.int64],
    earlier: NDArray[np.int32],
    after: NDArray[np.int64],
    later: NDArray[np.int32],
    comparisons: NDArray[np.int64],
    moves: NDArray[np.int64],
) -> None: ...
def count_snapshot(
    targets: NDArray[np.int64],
    at: float,
    snapshot: int,
    linked: NDArray[np.int64],
    newest: NDArray[np.int64],
    first: NDArray[np.int64],
    first_seen: NDArray[np.float64],
    last_seen: NDArray[np.float64],
) -> None: ...
