import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_setting_is_shown_with_its_origin(run: Run) -> None:
    outcome = run("config", "show", "--set", "limits.max_bytes=5")

    assert outcome.code == exits.DONE
    assert outcome.rows[:2] == [
        {"key": "limits.max_bytes", "value": 5, "origin": "--set", "variable": "BROADSHEET_LIMITS_MAX_BYTES"},
        {
            "key": "limits.max_nodes",
            "value": 400_000,
            "origin": "default",
            "variable": "BROADSHEET_LIMITS_MAX_NODES",
        },
    ]


def test_a_terminal_shows_a_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broadsheet.toml").write_text("limits.max_depth = 7", encoding="utf-8")

    outcome = run("config", "show", terminal=True)

    assert outcome.out.splitlines()[0].split() == ["key", "value", "origin", "variable"]
    assert "limits.max_bytes" in outcome.out
    assert re.search(r"limits\.max_bytes +20,000,000 +default", outcome.out)


def test_settings_are_read_from_the_environment(run: Run) -> None:
    outcome = run("config", "show", environment={"BROADSHEET_LIMITS_MAX_DEPTH": "9"})

    [depth] = [row for row in outcome.rows if row["key"] == "limits.max_depth"]
    assert (depth["value"], depth["origin"]) == (9, "environment BROADSHEET_LIMITS_MAX_DEPTH")


def test_a_wrong_key_fails_in_one_line_with_a_suggestion(run: Run) -> None:
    outcome = run("config", "show", "--set", "limits.max_byte=5")

    assert outcome.code == exits.FAILED
    assert outcome.err == "broadsheet: --set: unknown key limits.max_byte; did you mean limits.max_bytes?\n"
