from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints

def label_runs(
    labels: NDArray[np.int8], block: Ints, line: Ints, start: Ints, end: Ints
) -> list[tuple[int, int, list[tuple[int, int, int]]]]: ...
def sibling_steps(
    parent: Ints,
    tag: Ints,
    end: Ints,
    rows: list[int],
    names: tuple[str, ...],
    unknown: int,
    tag_name: Callable[[int], str],
) -> tuple[dict[int, int], dict[int, str]]: ...
def clock_candidates(text: NDArray[np.uint8], start: Ints, digits: Ints) -> list[int]: ...
def plain_runs(runs: list[tuple[int, int, list[tuple[int, int, int]]]], text: bytes) -> list[str | None]: ...
def short_links(text: bytes, start: Ints, end: Ints, most: int) -> list[int]: ...
def mark_slices(start: Ints, end: Ints, length: int) -> NDArray[np.bool_]: ...
def mark_elements(tag: Ints, wanted: bytes, start: Ints, end: Ints, length: int) -> NDArray[np.bool_]: ...
