from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.moments import to_utc
from broadsheet.reading.facts._relative import read_relative

NOW = datetime(2026, 3, 2, 12, 30, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "written", "precision"),
    [
        ("5 hours ago", "2026-03-02T07:30:00+00:00", "minute"),
        ("an hour ago", "2026-03-02T11:30:00+00:00", "minute"),
        ("vor 3 Stunden", "2026-03-02T09:30:00+00:00", "minute"),
        ("il y a 20 minutes", "2026-03-02T12:10:00+00:00", "minute"),
        ("hace 2 días", "2026-02-28T00:00:00", "day"),
        ("2 dagen geleden", "2026-02-28T00:00:00", "day"),
        ("2 часа назад", "2026-03-02T10:30:00+00:00", "minute"),
        ("5時間前", "2026-03-02T07:30:00+00:00", "minute"),
        ("3 天前", "2026-02-27T00:00:00", "day"),
        ("gestern", "2026-03-01T00:00:00", "day"),
        ("Today", "2026-03-02T00:00:00", "day"),
    ],
)
def test_a_span_is_counted_from_the_time_of_fetching(text: str, written: str, precision: str) -> None:
    moment = read_relative(text, NOW)

    assert moment is not None
    assert (moment.time.isoformat(), moment.precision) == (written, precision)


@pytest.mark.parametrize("text", ["", "5 min read", "takes 3 hours", "ago", "7 parts ago", "x" * 100 + " 5 hours ago"])
def test_a_time_span_that_is_not_in_the_past_is_not_a_date(text: str) -> None:
    assert read_relative(text, NOW) is None


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    moment = read_relative(text, NOW)

    assert moment is None or to_utc(moment.time) <= NOW
