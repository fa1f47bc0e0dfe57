from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.base.moments import Moment, to_utc, utc_text

MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-02",
        "2026-03-02T00:00",
        "2026-03-02T02:00+02:00",
        date(2026, 3, 2),
        datetime(2026, 3, 2),
        datetime(2026, 3, 2, 2, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_a_date_means_its_first_moment_and_utc_is_the_default(moment: Moment) -> None:
    utc = to_utc(moment)

    assert utc == MIDNIGHT
    assert utc.tzinfo is UTC


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("yesterday", "'yesterday' is not a date or time"),
        ("", "is not a date or time"),
        (1_772_409_600, "a moment is a str, date or datetime, not int"),
        ("0001-01-01T00:00+14:00", "lies outside the years 1 to 9999"),
    ],
)
def test_anything_else_is_refused(moment: Moment, told: str) -> None:
    with pytest.raises(InputError, match=told):
        to_utc(moment)


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-7)), timezone(timedelta(minutes=345))])))
def test_the_text_of_a_time_is_in_utc_with_microseconds_whatever_its_offset(moment: datetime) -> None:
    assume(
        datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
        < moment
        < datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    )

    text = utc_text(moment, " ")

    assert datetime.fromisoformat(text).replace(tzinfo=UTC) == moment
    assert len(text) == len("2026-03-02 00:00:00.000000")
