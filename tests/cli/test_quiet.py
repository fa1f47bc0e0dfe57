"""`-q`: only warnings and errors on standard error, before or after the name of the command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.cli.commands import COMMANDS
from tests.cli.test_extract_command import PAGE

Run = Callable[..., Any]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("words", [("-q", "sample"), ("sample", "-q"), ("sample", "--quiet")], ids=" ".join)
def test_messages_are_left_out_and_results_stay(
    run: Run, tmp_path: Path, words: tuple[str, ...], terminal: bool
) -> None:
    verbose = run("sample", "--out", tmp_path / "pages", terminal=terminal)
    quiet = run(*words, "--out", tmp_path / "pages", terminal=terminal)

    assert "wrote 6 pages" in verbose.err
    assert quiet.err == ""
    assert quiet.out == verbose.out


def test_errors_stay(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("parse", "-q", page, tmp_path / "missing.html")

    assert outcome.code == exits.SOME_FAILED
    assert outcome.err == f"broadsheet: {tmp_path}/missing.html: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_takes_it(run: Run, command: str) -> None:
    assert "-q, --quiet" in run(command, "--help").out
