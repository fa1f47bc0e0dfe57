import io
from datetime import UTC, datetime, timedelta

import pytest

from broadsheet.base.clock import ManualClock
from broadsheet.cli.console import Console
from tests.cli.conftest import Terminal

ERASE = "\r\x1b[K"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 3, 2, tzinfo=UTC))


def make(clock: ManualClock, stderr: io.StringIO) -> Console:
    return Console(io.BytesIO(), io.StringIO(), stderr, clock, 100)


def test_a_meter_shows_progress_and_speed(clock: ManualClock) -> None:
    stderr = Terminal()

    with make(clock, stderr).meter(4) as meter:
        clock.advance(timedelta(seconds=10))
        meter.reach(1)
        meter.count(500, 0)
        clock.advance(timedelta(seconds=10))
        meter.reach(2.5)
        meter.count(1500, 2)

    first, second, last = stderr.getvalue().split(ERASE)[1:]
    assert first == "[######..................] 25%  500 pages  50/s  0:00:30 left"
    assert second == "[###############.........] 62%  1,500 pages  75/s  2 failed  0:00:12 left"
    assert last == ""


def test_a_meter_does_not_flicker(clock: ManualClock) -> None:
    stderr = Terminal()

    with make(clock, stderr).meter(100) as meter:
        for done in range(100):
            clock.advance(timedelta(milliseconds=10))
            meter.count(done, 0)

    assert stderr.getvalue().count(" pages") == 4


def test_a_message_replaces_the_meter(clock: ManualClock) -> None:
    stderr = Terminal()
    console = make(clock, stderr)

    with console.meter(1) as meter:
        clock.advance(timedelta(seconds=1))
        meter.count(1, 0)
        console.message("a.html: is empty")

    assert stderr.getvalue().endswith(f"1/s{ERASE}broadsheet: a.html: is empty\n")


def test_no_meter_is_drawn_into_a_file(clock: ManualClock) -> None:
    stderr = io.StringIO()

    with make(clock, stderr).meter(1) as meter:
        clock.advance(timedelta(seconds=1))
        meter.count(1, 0)

    assert stderr.getvalue() == ""
