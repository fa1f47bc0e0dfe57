import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints, Sums
from broadsheet.reading.lines.lines import Lines

def head_end(
    tag: Ints, parent: Ints, end: Ints, piece_start: Ints, piece_end: Ints, head: int, belongs: NDArray[np.uint8]
) -> int: ...
def line_columns(
    line: Ints, block: Ints, all_characters: Ints, all_words: Ints, all_link_characters: Ints, begin: int
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    Ints,
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.float32],
]: ...
def own_features(
    lines: Lines, sums: Sums, depth: Ints, overlap: NDArray[np.float32], rows: NDArray[np.float32], stops: int
) -> None: ...
def choose_in_order(
    order: NDArray[np.int64], probabilities: NDArray[np.float32], words: NDArray[np.float32]
) -> NDArray[np.uint8]: ...
def fill(
    chosen: NDArray[np.uint8],
    probabilities: NDArray[np.float32],
    links: NDArray[np.float32],
    longest: int,
    least: float,
    most: float,
) -> None: ...
