import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading._common_subsequence import common_length
from broadsheet.reading._subtrees import covered, differences, line_edges, prefix_sums
from broadsheet.reading.comments import _most_in_common

SLICES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted), max_size=80)


@given(SLICES)
def test_few_and_many_slices_cover_the_same_way(slices: list[list[int]]) -> None:
    starts, ends = (np.array([bounds[side] for bounds in slices], np.int32) for side in (0, 1))

    mask = covered(starts, ends, 50)

    assert mask.tolist() == [any(start <= position < end for start, end in slices) for position in range(50)]


@given(st.lists(st.integers(0, 3), max_size=30))
def test_lines_begin_and_end_where_their_numbers_change(steps: list[int]) -> None:
    lines = np.cumsum(np.array(steps, np.int32), dtype=np.int32)

    edges = line_edges(lines).tolist()

    assert [lines[start:end].tolist() for start, end in itertools.pairwise(edges)] == [
        [number] * int((lines == number).sum()) for number in np.unique(lines).tolist()
    ]


@given(st.lists(st.integers(0, 1000)))
def test_differences_undo_prefix_sums(values: list[int]) -> None:
    assert differences(prefix_sums(np.array(values, np.int64))).tolist() == values


@given(st.lists(st.text(max_size=30), min_size=3, max_size=8), st.integers(1, 4))
def test_the_bound_on_common_subsequences_holds(texts: list[str], distance: int) -> None:
    most = _most_in_common(texts, distance)

    for apart, shared in most.items():
        for row, (first, second) in enumerate(zip(texts, texts[apart:], strict=False)):
            assert common_length(first, second) <= shared[row] <= min(len(first), len(second))
