"""Products of small matrices: the numbers that NumPy gives, from one thread."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.models._products import add_product

sizes = st.integers(0, 40)


def drawn(rows: int, columns: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32)


@pytest.mark.parametrize("anywhere", [False, True])
@given(count=sizes, depth=sizes, width=sizes, seed=st.integers(0, 99))
def test_adds_the_product_that_numpy_gives(count: int, depth: int, width: int, seed: int, anywhere: bool) -> None:
    left, right, before = drawn(count, depth, seed), drawn(depth, width, seed + 1), drawn(count, width, seed + 2)
    sums = before.copy()
    add_product(left, right, sums, anywhere=anywhere)
    assert sums == pytest.approx(before + left @ right, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("anywhere", [False, True])
def test_a_matrix_may_be_part_of_a_larger_one(anywhere: bool) -> None:
    whole, right = drawn(30, 50, 1), drawn(20, 33, 2)
    sums = np.zeros((15, 33), np.float32)
    add_product(whole[::2, 10:30], right, sums, anywhere=anywhere)
    assert sums == pytest.approx(whole[::2, 10:30] @ right, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("left", "right", "sums"), [((2, 3), (4, 5), (2, 5)), ((2, 3), (3, 5), (3, 5)), ((2, 3), (3, 5), (2, 4))]
)
def test_matrices_that_do_not_fit_together_are_refused(
    left: tuple[int, int], right: tuple[int, int], sums: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        add_product(drawn(*left, 1), drawn(*right, 2), drawn(*sums, 3))


def test_columns_that_lie_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="side by side"):
        add_product(drawn(4, 6, 1)[:, ::2], drawn(3, 5, 2), np.zeros((4, 5), np.float32))
