import math
from datetime import UTC, datetime, timedelta, timezone

import pytest

from broadsheet.base.clock import AcceleratedClock, Clock, ManualClock, SystemClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_the_system_clock_returns_an_aware_time_in_utc() -> None:
    clock: Clock = SystemClock()

    assert clock.now().utcoffset() == timedelta()


def test_the_system_clock_never_moves_backwards() -> None:
    clock = SystemClock()

    first, second = clock.monotonic(), clock.monotonic()

    assert second >= first


def test_a_manual_clock_does_not_move_by_itself() -> None:
    clock: Clock = ManualClock(NOON)

    assert (clock.now(), clock.monotonic()) == (NOON, 0.0)
    assert (clock.now(), clock.monotonic()) == (NOON, 0.0)


def test_advancing_a_manual_clock_moves_both_of_its_times() -> None:
    clock = ManualClock(NOON)

    clock.advance(timedelta(hours=1))
    clock.advance(timedelta(seconds=30))

    assert clock.now() == datetime(2026, 3, 2, 13, 0, 30, tzinfo=UTC)
    assert clock.monotonic() == 3630


def test_a_manual_clock_converts_its_start_to_utc() -> None:
    clock = ManualClock(datetime(2026, 3, 2, 14, tzinfo=timezone(timedelta(hours=2))))

    assert clock.now().isoformat() == "2026-03-02T12:00:00+00:00"


def test_a_manual_clock_needs_a_start_with_an_offset() -> None:
    with pytest.raises(ValueError, match="offset"):
        ManualClock(NOON.replace(tzinfo=None))


def test_a_manual_clock_does_not_move_backwards() -> None:
    with pytest.raises(ValueError, match="forward"):
        ManualClock(NOON).advance(timedelta(seconds=-1))


def test_an_accelerated_clock_multiplies_time_by_its_speed() -> None:
    real = ManualClock(NOON)
    clock: Clock = AcceleratedClock(real, datetime(2030, 1, 1, tzinfo=UTC), 3600)

    assert (clock.now(), clock.monotonic()) == (datetime(2030, 1, 1, tzinfo=UTC), 0.0)

    real.advance(timedelta(seconds=2))

    assert (clock.now(), clock.monotonic()) == (datetime(2030, 1, 1, 2, tzinfo=UTC), 7200)


def test_an_accelerated_clock_starts_on_creation() -> None:
    real = ManualClock(NOON)
    real.advance(timedelta(days=1))

    assert AcceleratedClock(real, NOON, 5).now() == NOON


def test_an_accelerated_clock_converts_its_start_to_utc() -> None:
    start = datetime(2026, 3, 2, 14, tzinfo=timezone(timedelta(hours=2)))

    assert AcceleratedClock(ManualClock(NOON), start, 1).now().isoformat() == "2026-03-02T12:00:00+00:00"


@pytest.mark.parametrize("speed", [0, -1, math.inf, math.nan])
def test_an_accelerated_clock_needs_a_positive_speed(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        AcceleratedClock(ManualClock(NOON), NOON, speed)


def test_an_accelerated_clock_needs_a_start_with_an_offset() -> None:
    with pytest.raises(ValueError, match="offset"):
        AcceleratedClock(ManualClock(NOON), NOON.replace(tzinfo=None), 1)


def test_a_span_of_an_accelerated_clock_takes_less_real_time() -> None:
    clock = AcceleratedClock(SystemClock(), NOON, speed=3600)

    assert clock.real_seconds(timedelta(hours=2)) == 2.0
    assert SystemClock().real_seconds(timedelta(hours=2)) == 7200.0
    assert ManualClock(NOON).real_seconds(timedelta(hours=2)) == 0.0


def test_accelerated_clocks_with_the_same_origin_agree() -> None:
    machine = ManualClock(NOON)
    first = AcceleratedClock(machine, NOON, speed=60)
    machine.advance(timedelta(seconds=10))

    second = AcceleratedClock(machine, NOON, speed=60, origin=first.origin)

    assert second.now() == first.now() == NOON + timedelta(minutes=10)
