from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts._machine_dates import read_iso


@pytest.mark.parametrize(
    ("text", "written", "precision"),
    [
        ("2026-03-02", "2026-03-02T00:00:00", "day"),
        ("20260302", "2026-03-02T00:00:00", "day"),
        ("2026-03-02T07:15:50", "2026-03-02T07:15:50", "second"),
        ("2026-03-02T07:15Z", "2026-03-02T07:15:00+00:00", "minute"),
        ("2026-03-02T07:15:50+0200", "2026-03-02T07:15:50+02:00", "second"),
        ("2026-03-02 07:15:50 +02:00", "2026-03-02T07:15:50+02:00", "second"),
        (" 2026-03-02T07:15:50.1234567Z\n", "2026-03-02T07:15:50.123456+00:00", "second"),
    ],
)
def test_iso_dates_are_read_with_their_offset(text: str, written: str, precision: str) -> None:
    moment = read_iso(text)

    assert moment is not None
    assert moment.time.isoformat() == written
    assert moment.precision == precision


def test_a_time_without_an_offset_is_not_in_utc() -> None:
    moment = read_iso("2026-03-02T07:15:50")

    assert moment is not None
    assert moment.time.tzinfo is None
    assert not moment.has_offset


@pytest.mark.parametrize("text", ["", "2 March 2026", "yesterday", "2026-13-45", "2026", "1" * 500, "2026-W10-1x"])
def test_anything_else_is_not_a_date(text: str) -> None:
    assert read_iso(text) is None


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    moment = read_iso(text)

    assert moment is None or moment.has_offset == (moment.time.utcoffset() is not None)


@given(st.datetimes(datetime(1900, 1, 1), datetime(2199, 12, 31), timezones=st.just(UTC)))
def test_dates_formatted_by_python_are_read_back(time: datetime) -> None:
    moment = read_iso(time.isoformat())

    assert moment is not None
    assert moment.time == time


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-05:00", "1600-01-01"])
def test_implausible_years_are_not_dates(text: str) -> None:
    assert read_iso(text) is None
