from argparse import ArgumentTypeError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.cli.durations import seconds, span


@pytest.mark.parametrize(
    ("text", "length"), [("90s", 90), ("30m", 1800), ("1h", 3600), ("1.5 H", 5400), ("2d", 172_800), ("1w", 604_800)]
)
def test_a_duration_is_a_number_with_a_unit(text: str, length: float) -> None:
    assert seconds(text) == length


@pytest.mark.parametrize("text", ["", "5", "0h", "99999w", "h", "-1h", "1y", "1h30m", "∞d"])
def test_anything_else_is_rejected_with_examples(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="write 90s, 30m, 1h, 2d or 1w"):
        seconds(text)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (0.5, "0.5s"),
        (45.0, "45s"),
        (1350.0, "22.5m"),
        (3600.0, "1h"),
        (5000.0, "1.39h"),
        (86_400.0, "1d"),
        (90_000.0, "1.04d"),
        (604_800.0, "7d"),
        (1e9, "11574d"),
    ],
)
def test_a_number_of_seconds_is_written_as_in_options(length: float, text: str) -> None:
    assert span(length) == text


@given(st.floats(1, 3e9))
def test_what_is_written_can_be_given_as_an_option(length: float) -> None:
    assert seconds(span(length)) == pytest.approx(length, rel=0.01)
