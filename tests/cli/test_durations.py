from argparse import ArgumentTypeError

import pytest

from broadsheet.cli.durations import seconds


@pytest.mark.parametrize(
    ("text", "span"), [("90s", 90), ("30m", 1800), ("1h", 3600), ("1.5 H", 5400), ("2d", 172_800), ("1w", 604_800)]
)
def test_a_duration_is_a_number_with_a_unit(text: str, span: float) -> None:
    assert seconds(text) == span


@pytest.mark.parametrize("text", ["", "5", "0h", "99999w", "h", "-1h", "1y", "1h30m", "∞d"])
def test_anything_else_is_rejected_with_examples(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="write 90s, 30m, 1h, 2d or 1w"):
        seconds(text)
