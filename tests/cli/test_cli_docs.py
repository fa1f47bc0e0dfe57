from pathlib import Path

import pytest

from broadsheet.base.config import Scalar, Setting, load
from broadsheet.cli import exits
from broadsheet.cli.command import CommandEntry
from broadsheet.cli.commands import COMMANDS

DOCS = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def written(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:,}" if isinstance(value, int | float) else value or "(empty)"


@pytest.mark.parametrize("setting", list(load({}, Path("/nowhere"))), ids=lambda setting: setting.key)
def test_every_setting_is_documented_with_its_default(setting: Setting) -> None:
    assert f"| `{setting.key}` | {written(setting.value)} |" in DOCS


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_documented(command: CommandEntry) -> None:
    assert f"| `{command.name} " in DOCS


@pytest.mark.parametrize("code", [exits.DONE, exits.FAILED, exits.USAGE, exits.SOME_FAILED, exits.INTERRUPTED])
def test_every_exit_code_is_documented(code: int) -> None:
    assert f"\n| {code} | " in DOCS
