import os
from collections.abc import Iterator

import pytest

from broadsheet.base.errors import BroadsheetError
from broadsheet.experiments.spreading import spread


def double(number: int) -> int:
    return 2 * number


def die(number: int) -> int:
    os._exit(number)


@pytest.mark.parametrize("workers", [1, 2])
def test_all_items_are_worked_on(workers: int) -> None:
    assert sorted(spread(double, range(20), workers)) == list(range(0, 40, 2))


def test_no_more_is_read_than_can_wait() -> None:
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        while read < 1000:
            read += 1
            yield read

    outcomes = spread(double, items(), 2)
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]

    assert read < 50


def test_a_process_that_dies_ends_the_run_with_one_line() -> None:
    with pytest.raises(BroadsheetError, match="died; the same command goes on"):
        list(spread(die, [1], 2))
