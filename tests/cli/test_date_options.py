"""Times in command-line options."""

from argparse import ArgumentTypeError
from datetime import UTC, datetime

import pytest

from broadsheet.cli.date_options import when

NOW = datetime(2026, 3, 2, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("today", "2026-03-02T00:00+00:00", "2026-03-03T00:00+00:00"),
        ("Yesterday", "2026-03-01T00:00+00:00", "2026-03-02T00:00+00:00"),
        ("2026-02-28", "2026-02-28T00:00+00:00", "2026-03-01T00:00+00:00"),
        ("2026-02-28T12:00", "2026-02-28T12:00+00:00", "2026-02-28T12:00+00:00"),
        ("2026-02-28T12:00+02:00", "2026-02-28T12:00+02:00", "2026-02-28T12:00+02:00"),
        ("2026-02-28T00:00", "2026-02-28T00:00+00:00", "2026-02-28T00:00+00:00"),
        ("2d", "2026-02-28T15:30+00:00", "2026-02-28T15:30+00:00"),
        ("36h", "2026-03-01T03:30+00:00", "2026-03-01T03:30+00:00"),
        (" 90 m ", "2026-03-02T14:00+00:00", "2026-03-02T14:00+00:00"),
        ("1w", "2026-02-23T15:30+00:00", "2026-02-23T15:30+00:00"),
    ],
)
def test_a_day_spans_24_hours_and_a_moment_is_exact(text: str, start: str, end: str) -> None:
    moment = when(text)

    assert moment.start(NOW) == datetime.fromisoformat(start)
    assert moment.end(NOW) == datetime.fromisoformat(end)


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "2", "-2d", "0h", "tomorrow", "200000000w"])
def test_an_invalid_time_is_rejected_with_examples(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"is not a time; write 2026-03-02, .* yesterday, 36h or 2d"):
        when(text)


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31"])
def test_the_first_and_last_representable_days_are_valid(text: str) -> None:
    assert when(text).start(NOW) < when(text).end(NOW)
