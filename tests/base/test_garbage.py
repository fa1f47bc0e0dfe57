import gc
from collections.abc import Iterator

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.garbage import NEW_OBJECTS, search_less_often
from broadsheet.base.pool import Pool
from broadsheet.base.workers import OneAnswer


@pytest.fixture(autouse=True)
def _thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def spared(least: int) -> bool:
    return gc.get_freeze_count() > least


def test_processes_for_pages_spare_what_they_have_loaded() -> None:
    assert list(Pool(OneAnswer(spared), 1, SystemClock()).ordered([1_000])) == [True]


def test_new_objects_are_searched_less_often_and_older_ones_as_before() -> None:
    older = gc.get_threshold()[1:]

    search_less_often()

    assert gc.get_threshold() == (NEW_OBJECTS, *older)
