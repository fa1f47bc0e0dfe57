"""Products of small matrices equal NumPy's, without its threads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.models._products import add_product

sizes = st.integers(0, 40)


def draw(rows: int, columns: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32)


@pytest.mark.parametrize("portable", [False, True])
@given(count=sizes, depth=sizes, width=sizes, seed=st.integers(0, 99))
def test_adds_the_product_that_numpy_gives(count: int, depth: int, width: int, seed: int, portable: bool) -> None:
    left, right, before = (
        draw(count, depth, seed),
        draw(depth, width, seed + 1),
        draw(count, width, seed + 2),
    )
    sums = before.copy()
    add_product(left, right, sums, portable=portable)
    assert sums == pytest.approx(before + left @ right, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("portable", [False, True])
def test_a_matrix_may_be_a_view_of_a_larger_one(portable: bool) -> None:
    larger, right = draw(30, 50, 1), draw(20, 33, 2)
    sums = np.zeros((15, 33), np.float32)
    add_product(larger[::2, 10:30], right, sums, portable=portable)
    assert sums == pytest.approx(larger[::2, 10:30] @ right, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("left", "right", "sums"), [((2, 3), (4, 5), (2, 5)), ((2, 3), (3, 5), (3, 5)), ((2, 3), (3, 5), (2, 4))]
)
def test_matrices_of_mismatched_shapes_are_refused(
    left: tuple[int, int], right: tuple[int, int], sums: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        add_product(draw(*left, 1), draw(*right, 2), draw(*sums, 3))


def test_rows_that_are_not_contiguous_are_refused() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        add_product(draw(4, 6, 1)[:, ::2], draw(3, 5, 2), np.zeros((4, 5), np.float32))
