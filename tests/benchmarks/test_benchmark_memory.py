import os

from benchmarks.memory import high_water, nothing, peaks
from benchmarks.pages import Page
from benchmarks.stages import BASELINE
from benchmarks.system import Run, System

PAGES = [Page.decode(name, b"<p>text") for name in "abc"]


def hoarding() -> Run:
    return lambda _: str(len(bytearray(b"x") * 60_000_000))


def failing() -> Run:
    def run(_page: Page) -> None:
        raise ValueError

    return run


def dying() -> Run:
    return lambda _: os._exit(1)


def test_each_system_has_its_own_peak() -> None:
    mine = bytearray(b"x") * 100_000_000
    systems = [System(load.__name__, "lxml", load) for load in (hoarding, failing, nothing, dying)]
    done: list[int] = []
    megabytes = peaks([*systems, BASELINE], PAGES, done.append)
    assert 55 < megabytes["hoarding"] < 75
    assert megabytes["failing"] < 5
    assert megabytes["nothing"] < 5, f"a child must not be charged with what its parent holds ({len(mine)} bytes)"
    assert "dying" not in megabytes
    assert 1 < megabytes["lxml parse"] < 40
    assert done == [1, 2, 3, 4, 5]


def test_high_water_never_falls() -> None:
    before = high_water()
    hoarding()(PAGES[0])
    assert high_water() >= max(before, 60_000_000)
