from datetime import UTC, datetime, timedelta, timezone

import pytest

from broadsheet.base.clock import Clock, ManualClock, SystemClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_the_system_clock_tells_an_aware_time_in_utc() -> None:
    clock: Clock = SystemClock()

    assert clock.now().utcoffset() == timedelta()


def test_the_system_clock_never_goes_back() -> None:
    clock = SystemClock()

    first, second = clock.monotonic(), clock.monotonic()

    assert second >= first


def test_a_manual_clock_stands_still() -> None:
    clock: Clock = ManualClock(NOON)

    assert (clock.now(), clock.monotonic()) == (NOON, 0.0)
    assert (clock.now(), clock.monotonic()) == (NOON, 0.0)


def test_a_manual_clock_moves_both_of_its_hands() -> None:
    clock = ManualClock(NOON)

    clock.advance(timedelta(hours=1))
    clock.advance(timedelta(seconds=30))

    assert clock.now() == datetime(2026, 3, 2, 13, 0, 30, tzinfo=UTC)
    assert clock.monotonic() == 3630


def test_a_manual_clock_tells_utc_wherever_it_was_set() -> None:
    clock = ManualClock(datetime(2026, 3, 2, 14, tzinfo=timezone(timedelta(hours=2))))

    assert clock.now().isoformat() == "2026-03-02T12:00:00+00:00"


def test_a_manual_clock_is_not_set_without_an_offset() -> None:
    with pytest.raises(ValueError, match="offset"):
        ManualClock(NOON.replace(tzinfo=None))


def test_a_manual_clock_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="forward"):
        ManualClock(NOON).advance(timedelta(seconds=-1))
