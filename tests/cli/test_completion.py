"""Completion: what the program suggests, and how a real bash uses it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.cli.commands import COMMANDS
from broadsheet.cli.suggestions import COMPLETION_VARIABLE, FILES, FOLDERS

Run = Callable[..., Any]


def suggested(run: Run, *words: str) -> list[str]:
    outcome = run(*words, environment={COMPLETION_VARIABLE: "1"})
    assert (outcome.code, outcome.err) == (exits.DONE, "")
    return [line.partition("\t")[0] for line in outcome.out.splitlines()]


def test_commands_are_suggested_with_their_description(run: Run) -> None:
    assert suggested(run, "") == [command.name for command in COMMANDS]
    [line] = run("extr", environment={COMPLETION_VARIABLE: "1"}).out.splitlines()
    help_text = next(command.help for command in COMMANDS if command.name == "extract")
    assert line.lower() == f"extract\t{help_text}.".lower()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["extract", "--over"], ["--overwrite"]),
        (["extract", "-f", "m"], ["md"]),
        (["extract", "page.html", "--format", "te"], ["text", "tei"]),
        (["--config", "extract", "sec"], ["sections"]),
        (["extract", "pa"], [FILES]),
        (["extract", "one.html", ""], [FILES]),
        (["extract", "-o", ""], [FILES]),
        (["crawl", "ne"], [FOLDERS]),
        (["crawl", "news", ""], []),
        (["newsweb", ""], ["serve", "describe"]),
        (["newsweb", "serve", ""], []),
        (["extract", "--", "--over"], [FILES]),
        (["export", "--forc"], []),
        (
            ["nothing", "--"],
            ["--help", "--version", "--config", "--set", "--quiet", "--no-color", "--no-colour", "--debug"],
        ),
    ],
    ids=" ".join,
)
def test_suggestions_depend_on_the_position_of_the_cursor(run: Run, words: list[str], found: list[str]) -> None:
    assert suggested(run, *words) == found


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_suggests_its_options_with_one_line_each(run: Run, command: str) -> None:
    lines = run(command, "--", environment={COMPLETION_VARIABLE: "1"}).out.splitlines()

    assert "--quiet" in [line.partition("\t")[0] for line in lines]
    assert all(line.startswith("--") and "%" not in line for line in lines)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_script_is_valid_in_its_shell(run: Run, shell: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(run("completion", shell).out)

    assert COMPLETION_VARIABLE in script.read_text()
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    assert subprocess.run([program, "-n", str(script)], check=False).returncode == 0  # noqa: S603 - a shell


@pytest.fixture
def complete(run: Run, tmp_path: Path) -> Callable[..., list[str]]:
    """Complete words in a real bash, in a folder with a page, a page with a space in its name, and a folder."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    program = tmp_path / "bin" / "broadsheet"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m broadsheet "$@"\n')
    program.chmod(0o755)
    folder = tmp_path / "folder"
    (folder / "pages").mkdir(parents=True)
    (folder / "page one.html").touch()
    script = run("completion", "bash").out

    def call(*words: str) -> list[str]:
        ask = 'complete -p broadsheet >/dev/null && _broadsheet_completion && printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(  # noqa: S603 - a shell, and our own program
            [bash, "-c", f'{script}\nCOMP_WORDS=("$@") COMP_CWORD=$(($# - 1))\n{ask}', "bash", "broadsheet", *words],
            cwd=folder,
            env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()

    return call


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["extr"], ["extract"]),
        (["extract", "--over"], ["--overwrite"]),
        (["extract", "pa"], ["page one.html", "pages"]),
        (["crawl", "pa"], ["pages"]),
        (["export", "pages", "-f", "war"], ["warc"]),
    ],
    ids=" ".join,
)
def test_bash_completes_commands_options_and_paths(
    complete: Callable[..., list[str]], words: list[str], found: list[str]
) -> None:
    assert sorted(complete(*words)) == found
