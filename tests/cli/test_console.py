import io
import json
from datetime import UTC, datetime, timedelta

import pytest

from broadsheet.base.clock import ManualClock
from broadsheet.cli.console import MAX_TABLE_ROWS, Console

ROWS = [{"page": "a.html", "title": "日本語", "words": 1234}]


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def make(stdout: io.StringIO, stderr: io.StringIO) -> tuple[Console, ManualClock]:
    clock = ManualClock(datetime(2026, 3, 2, tzinfo=UTC))
    return Console(io.BytesIO(), stdout, stderr, clock, 60), clock


def test_a_terminal_gets_a_table() -> None:
    stdout = Terminal()
    console, _ = make(stdout, Terminal())

    console.rows(ROWS)

    assert stdout.getvalue().splitlines()[0] == "page    title   words"


def test_a_person_is_told_that_there_is_nothing() -> None:
    stdout, stderr = Terminal(), Terminal()
    console, _ = make(stdout, stderr)

    console.rows(iter(()), if_none="news: no such article")

    assert (stdout.getvalue(), stderr.getvalue()) == ("", "broadsheet: news: no such article\n")


def test_a_program_is_not_told_that_there_is_nothing() -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    console, _ = make(stdout, stderr)

    console.rows(iter(()), if_none="news: no such article")

    assert (stdout.getvalue(), stderr.getvalue()) == ("", "")


def test_very_many_rows_are_split_into_several_tables() -> None:
    stdout = Terminal()
    console, _ = make(stdout, Terminal())

    console.rows({"number": number} for number in range(MAX_TABLE_ROWS + 1))

    lines = stdout.getvalue().splitlines()
    assert len(lines) == MAX_TABLE_ROWS + 1 + 2 * 2
    assert lines[-3:] == ["number", "------", f" {MAX_TABLE_ROWS:,}"]


def test_a_pipe_gets_json_lines_without_escaped_letters() -> None:
    stdout = io.StringIO()
    console, _ = make(stdout, Terminal())

    console.rows(ROWS)

    assert json.loads(stdout.getvalue()) == ROWS[0]
    assert "日本語" in stdout.getvalue()


def test_a_pipe_gets_each_row_as_soon_as_it_is_available() -> None:
    stdout = io.StringIO()
    console, _ = make(stdout, Terminal())
    seen = []

    def rows() -> object:
        for number in range(3):
            yield {"number": number}
            seen.append(stdout.getvalue().count("\n"))

    console.rows(rows())  # type: ignore[arg-type]

    assert seen == [1, 2, 3]


def test_lines_for_people_are_escaped_and_not_piped() -> None:
    terminal, pipe = Terminal(), io.StringIO()

    for stdout in (terminal, pipe):
        make(stdout, io.StringIO())[0].text("  title: \x1b[2J" + " and so on" * 9)

    first, second = terminal.getvalue().splitlines()
    assert first.startswith("  title: \N{REPLACEMENT CHARACTER}[2J and so on")
    assert second.startswith("  ")
    assert max(len(first), len(second)) <= 60
    assert pipe.getvalue() == ""


def test_a_word_that_is_longer_than_the_terminal_is_clipped() -> None:
    terminal = Terminal()

    make(terminal, io.StringIO())[0].text("x" * 99)

    assert terminal.getvalue() == "x" * 59 + "…\n"


def test_progress_is_shown_to_a_person_and_erased() -> None:
    stderr = Terminal()
    console, clock = make(io.StringIO(), stderr)

    for _ in console.track(["a", "b", "c"]):
        clock.advance(timedelta(seconds=1))

    shown = stderr.getvalue().split("\r\x1b[K")
    assert shown == ["", "1 of 3", "2 of 3", ""]


def test_progress_does_not_flicker() -> None:
    stderr = Terminal()
    console, clock = make(io.StringIO(), stderr)

    for _ in console.track(range(100)):
        clock.advance(timedelta(milliseconds=10))

    assert stderr.getvalue().count(" of 100") == 3


@pytest.mark.parametrize(("stderr", "items"), [(io.StringIO(), ["a", "b"]), (Terminal(), ["a"])])
def test_no_progress_without_a_terminal_or_for_one_item(stderr: io.StringIO, items: list[str]) -> None:
    console, _ = make(io.StringIO(), stderr)

    assert list(console.track(items)) == items
    assert stderr.getvalue() == ""


def test_a_message_replaces_the_progress_line() -> None:
    stderr = Terminal()
    console, clock = make(io.StringIO(), stderr)

    for item in console.track(["a", "b"]):
        clock.advance(timedelta(seconds=1))
        if item == "b":
            console.message("b.html: is\nempty")

    assert stderr.getvalue() == "\r\x1b[K1 of 2\r\x1b[Kbroadsheet: b.html: is empty\n"


def test_a_failure_shows_its_traceback_when_asked() -> None:
    stderr = io.StringIO()
    console, _ = make(io.StringIO(), stderr)

    console.failure(ValueError("first"), "first")
    console.debug = True
    console.failure(ValueError("second"), "a.html: second")

    assert stderr.getvalue() == "broadsheet: first\nValueError: second\nbroadsheet: a.html: second\n"
