"""An option means the same in every command."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.cli.command import Command
from broadsheet.cli.commands import COMMANDS
from broadsheet.cli.parser import Parser
from tests.archive.samples import keep
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


def options(command: Command) -> dict[str, argparse.Action]:
    """Return the options of a command that its help shows."""
    parser = Parser()
    command.configure(parser)
    shown = (action for action in parser._actions if action.help != argparse.SUPPRESS)
    return {name: action for action in shown for name in action.option_strings}


def commands_with(option: str) -> dict[str, argparse.Action]:
    return {command.name: actions[option] for command in COMMANDS if option in (actions := options(command.load()))}


def test_overwrite_is_for_files_and_force_for_pages() -> None:
    overwriting, forcing = commands_with("--overwrite"), commands_with("--force")

    assert {"extract", "export", "profile"} <= set(overwriting)
    assert all((action.help or "").startswith("replace ") for action in overwriting.values())
    assert set(forcing) == {"extract"}


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_every_time_option_has_the_same_syntax(option: str) -> None:
    assert len({action.type for action in commands_with(option).values()}) == 1


@pytest.mark.parametrize("option", ["--overwrite", "--force"])
def test_export_accepts_the_former_name_of_overwrite(run: Run, tmp_path: Path, option: str) -> None:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a", title="A")
    out = tmp_path / "out.md"
    out.write_text("precious", encoding="utf-8")

    assert run("export", tmp_path / "news", "-o", out, option).code == 0
    assert out.read_text(encoding="utf-8").startswith("# A")


@pytest.mark.parametrize("option", ["--writer-is-dead", "--force"])
def test_unlock_accepts_the_former_name_of_its_option(run: Run, tmp_path: Path, option: str) -> None:
    Store.open(tmp_path / "news", create=True).close()

    assert run("unlock", tmp_path / "news", option).code == 0
