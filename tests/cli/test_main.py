# ruff: noqa: S603 - the program that is started is ours
import io
import os
import pkgutil
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from broadsheet import __version__
from broadsheet.base.errors import InputError
from broadsheet.cli import commands, exits, main
from broadsheet.cli.command import CommandEntry, UsageError
from broadsheet.cli.commands import COMMANDS
from broadsheet.cli.console import Console
from broadsheet.cli.suggestions import COMPLETION_VARIABLE

Run = Callable[..., Any]

PROGRAM = [sys.executable, "-m", "broadsheet"]


class Failing:
    """A command that raises a given error."""

    name = "fail"
    help = "fail in a chosen way"

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def load(self) -> "Failing":
        return self

    def configure(self, parser: ArgumentParser) -> None:
        pass

    def execute(self, args: Namespace, console: Console) -> int:  # noqa: ARG002
        raise self._error


@pytest.fixture
def fail_with(monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    def call(error: BaseException, *argv: str) -> Any:
        monkeypatch.setattr(main, "COMMANDS", (Failing(error),))
        return run("fail", *argv)

    return call


def test_the_version_is_printed(run: Run) -> None:
    outcome = run("--version")

    assert (outcome.code, outcome.out) == (exits.DONE, f"broadsheet {__version__}\n")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_teaches_with_examples(run: Run, command: CommandEntry) -> None:
    general, particular = run("--help"), run(command.name, "--help")

    assert general.code == particular.code == exits.DONE
    assert command.name in general.out
    assert f"  broadsheet {command.name} " in particular.out
    assert "examples:" in particular.out


def test_the_examples_begin_with_what_people_do_first(run: Run) -> None:
    examples = run("--help").out.partition("examples:\n")[2].partition("\n\n")[0]

    named = [line.split()[1] for line in examples.splitlines()]
    assert [*dict.fromkeys(named)] == ["demo", "extract", "crawl", "articles"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_option_says_what_it_is_for(run: Run, command: CommandEntry) -> None:
    unexplained = [
        name
        for line in run(command.name, "--", environment={COMPLETION_VARIABLE: "1"}).out.splitlines()
        for name, _, meaning in [line.partition("\t")]
        if not meaning
    ]

    assert unexplained == []


def test_every_module_of_a_command_is_listed() -> None:
    modules = {module.name for module in pkgutil.iter_modules(commands.__path__)}

    assert sorted(f"{command.name}_command" for command in COMMANDS) == sorted(modules)


@pytest.mark.parametrize("argv", [["--version"], ["--help"], [], ["prase"]], ids=" ".join)
def test_without_a_command_nothing_heavy_is_imported(argv: list[str]) -> None:
    heavy = ("rich", "numpy", "lxml", "sqlalchemy", "scrapy", "pyarrow", "asyncio", "multiprocessing")
    program = (
        "import atexit, sys\n"
        "from broadsheet.cli.entry import start\n"
        f"atexit.register(lambda: print('loaded:', [name for name in {heavy!r} if name in sys.modules]))\n"
        "start()"
    )

    ended = subprocess.run([sys.executable, "-c", program, *argv], capture_output=True, timeout=600, check=False)

    assert ended.stdout.splitlines()[-1] == b"loaded: []"


def test_help_names_the_exit_codes(run: Run) -> None:
    assert "3    some inputs failed" in run("--help").out


def test_without_a_command_the_help_is_shown_as_an_error(run: Run) -> None:
    outcome = run()

    assert outcome.code == exits.USAGE
    assert "commands:" in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    "argv", [["prase"], ["parse"], ["parse", "a.html", "--link"], ["config"], ["sample", "--seed", "x"]]
)
def test_wrong_usage_gets_one_line_that_says_where_help_is(run: Run, argv: list[str]) -> None:
    outcome = run(*argv)

    assert outcome.code == exits.USAGE
    assert outcome.err.startswith("broadsheet: ")
    assert "--help)" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["extrct", "page.html"], "there is no command 'extrct'; did you mean extract? (see: broadsheet --help)"),
        (["fly"], "there is no command 'fly' (see: broadsheet --help)"),
        (
            ["export", "news", "--lmit=3", "-o", "x.csv"],
            "unrecognized arguments: --lmit=3; did you mean --limit? (see: broadsheet export --help)",
        ),
        (
            ["export", "news", "-o", "x.csv", "--pages"],
            "unrecognized arguments: --pages (see: broadsheet export --help)",
        ),
        (["status", "news", "more"], "unrecognized arguments: more (see: broadsheet status --help)"),
    ],
)
def test_what_was_mistyped_is_recognised(run: Run, argv: list[str], line: str) -> None:
    outcome = run(*argv)

    assert (outcome.code, outcome.err) == (exits.USAGE, f"broadsheet: {line}\n")


@pytest.mark.parametrize(
    ("argv", "missing"),
    [
        (["crawl"], "ARCHIVE"),
        (["forget"], "ARCHIVE"),
        (["config"], "show"),
        (["corpus"], "check|report|convert|split, CORPUS"),
    ],
)
def test_what_is_missing_is_called_as_in_the_help(run: Run, argv: list[str], missing: str) -> None:
    line = f"the following arguments are required: {missing} (see: broadsheet {argv[0]} --help)"

    outcome = run(*argv)

    assert (outcome.code, outcome.err) == (exits.USAGE, f"broadsheet: {line}\n")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("no page"), exits.FAILED, "broadsheet: no page"),
        (UsageError("one page only"), exits.USAGE, "broadsheet: one page only"),
        (
            OSError(28, "Disk full", "out"),
            exits.FAILED,
            "broadsheet: out: Disk full",
        ),
        (KeyboardInterrupt(), exits.INTERRUPTED, "broadsheet: interrupted"),
        (
            ZeroDivisionError("by zero"),
            exits.FAILED,
            "broadsheet: unexpected ZeroDivisionError: by zero (run it again with --debug for the traceback)",
        ),
    ],
)
def test_every_error_is_one_line(fail_with: Run, error: BaseException, code: int, line: str) -> None:
    outcome = fail_with(error)

    assert (outcome.code, outcome.err) == (code, line + "\n")


@pytest.mark.parametrize("error", [InputError("no page"), ZeroDivisionError("by zero")])
def test_debug_shows_the_traceback(fail_with: Run, error: Exception) -> None:
    outcome = fail_with(error, "--debug")

    assert outcome.code == exits.FAILED
    assert "Traceback" in outcome.err
    assert "in execute" in outcome.err


def test_a_closed_pipe_is_not_a_failure(fail_with: Run) -> None:
    outcome = fail_with(BrokenPipeError())

    assert (outcome.code, outcome.err) == (exits.DONE, "")


def test_shared_options_may_come_before_or_after_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("limits.max_depth = 7", encoding="utf-8")

    outcome = run("--set", "limits.max_bytes=5", "--config", file, "config", "show", "--set", "limits.max_nodes=6")

    values = {row["key"]: row["value"] for row in outcome.rows}
    assert (values["limits.max_bytes"], values["limits.max_nodes"], values["limits.max_depth"]) == (5, 6, 7)


def test_a_closed_pipe_ends_the_program_quietly() -> None:
    first = subprocess.Popen([*PROGRAM, "sample"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert first.stdout is not None
    first.stdout.close()

    _, errors = first.communicate(timeout=600)

    assert (first.returncode, errors) == (exits.DONE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run([*PROGRAM, "sample"], stdout=full, stderr=subprocess.PIPE, timeout=600, check=False)

    assert ended.returncode == exits.FAILED
    assert ended.stderr == b"broadsheet: No space left on device\n"


def test_an_interrupt_sets_the_exit_code(tmp_path: Path) -> None:
    pipe = tmp_path / "page.html"
    os.mkfifo(pipe)
    waiting = subprocess.Popen([*PROGRAM, "parse", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    # The pipe opens as soon as the program has opened its other end, and waits for a page.
    with pipe.open("wb"):
        waiting.send_signal(signal.SIGINT)
        _, errors = waiting.communicate(timeout=600)

    assert (waiting.returncode, errors) == (exits.INTERRUPTED, b"broadsheet: interrupted\n")


def test_json_is_utf_8_regardless_of_the_stream_encoding(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.html"
    Path(os.fsdecode(name)).write_bytes("<title>日本語</title>".encode())

    ended = subprocess.run(
        [*PROGRAM, "parse", name],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=600,
        check=True,
    )

    assert "日本語" in ended.stdout.decode("utf-8")
    assert rb"\udcff.html" in ended.stdout


def test_closed_streams_are_tolerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["broadsheet", "config", "show"])
    streams = {"stdin": None, "stdout": None, "stderr": None}
    monkeypatch.setattr(main, "sys", SimpleNamespace(argv=sys.argv, orig_argv=sys.argv, exit=sys.exit, **streams))

    with pytest.raises(SystemExit) as leaving:
        main.run()

    assert leaving.value.code == exits.DONE


def test_text_streams_of_any_kind_are_written_to() -> None:
    stdout, stderr = io.StringIO(), io.StringIO()

    assert main.main(["config", "show"], io.BytesIO(), stdout, stderr, {}) == exits.DONE
    assert stdout.getvalue().startswith("{")
