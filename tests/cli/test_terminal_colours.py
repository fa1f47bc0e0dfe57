"""Colours: on a terminal that supports them, unless turned off; never in a file or a pipe."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli.main import main
from tests.cli.conftest import Terminal

Run = Callable[..., Any]

XTERM = {"TERM": "xterm-256color"}


def test_a_table_has_a_bold_header_and_an_error_a_red_name(run: Run, tmp_path: Path) -> None:
    table = run("config", "show", terminal=True, environment=XTERM)
    error = run("parse", tmp_path / "missing.html", terminal=True, environment=XTERM)

    assert table.out.startswith("\x1b[1;36mkey")
    assert error.err.startswith("\x1b[1;31mbroadsheet:\x1b[0m ")


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (("--no-color",), XTERM),
        ((), {**XTERM, "NO_COLOR": "1"}),
        ((), {"TERM": "dumb"}),
        ((), {}),
    ],
    ids=["option", "NO_COLOR", "dumb", "unknown"],
)
def test_colours_can_be_turned_off(
    run: Run, tmp_path: Path, words: tuple[str, ...], environment: dict[str, str]
) -> None:
    for command in (("config", "show"), ("parse", str(tmp_path / "missing.html"))):
        outcome = run(*command, *words, terminal=True, environment=environment)

        assert "\x1b" not in outcome.out + outcome.err


def test_an_empty_no_color_has_no_effect(run: Run) -> None:
    assert "\x1b[1;36m" in run("config", "show", terminal=True, environment={**XTERM, "NO_COLOR": ""}).out


@pytest.mark.parametrize("piped", ["out", "err"])
def test_a_pipe_gets_no_colours_even_if_the_other_stream_is_a_terminal(tmp_path: Path, piped: str) -> None:
    pipe, terminal = io.StringIO(), Terminal()
    streams = (pipe, terminal) if piped == "out" else (terminal, pipe)
    (tmp_path / "page.html").write_text("<p>text")

    main(
        ["parse", str(tmp_path / "page.html"), str(tmp_path / "missing.html")],
        io.BytesIO(),
        streams[0],
        streams[1],
        environment=XTERM,
    )

    assert "\x1b" in terminal.getvalue()
    assert pipe.getvalue()
    assert "\x1b" not in pipe.getvalue()


def test_a_page_cannot_choose_a_colour(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>\x1b[31mred</title><p>text")

    outcome = run("parse", tmp_path / "page.html", terminal=True, environment=XTERM)

    assert "red" in outcome.out
    assert "\x1b[31m" not in outcome.out
