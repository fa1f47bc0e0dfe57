"""`broadsheet train`: errors that are reported before any work starts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pages", "data", "-o", "out", "--folds", "5"), "only applies to reading"),
        (("reading", "data", "-o", "out", "--folds", "1"), "at least 2"),
        (("reading", "data"), "-o/--out"),
        (("everything", "data", "-o", "out"), "invalid choice"),
    ],
)
def test_invalid_combinations_are_usage_errors(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("train", *arguments)

    assert outcome.code == exits.USAGE
    assert message in outcome.err


def test_a_folder_without_pages_is_reported_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    outcome = run("train", "reading", str(tmp_path), "-o", str(tmp_path / "out"))

    assert outcome.code == exits.FAILED
    assert "no folder pages/" in outcome.err
    assert not (tmp_path / "out").exists()
