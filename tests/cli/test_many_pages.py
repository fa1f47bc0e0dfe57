# ruff: noqa: S603 - the program that is started is ours
"""The program as a whole on many pages: all cores, the order of the input, and a clean end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from tests.cli.test_extract_command import PAGE, SECTION
from tests.cli.test_warcs import page as record
from tests.cli.test_warcs import written

Run = Callable[..., Any]

PROGRAM = [sys.executable, "-m", "broadsheet"]


def is_gone(group: int) -> bool:
    """Wait for a process group to end; the resource tracker of multiprocessing exits a moment after the others."""
    for _ in range(2000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """A WARC file of 30 pages, one of which exceeds a limit and one of which is empty."""
    pages = [record(number, (PAGE if number % 3 else SECTION).encode()) for number in range(30)]
    pages[7] = record(7, b"<div>" * 3_000)
    pages[11] = record(11, b" ")
    return written(tmp_path / "many.warc.gz", *pages)


@pytest.mark.parametrize("command", ["identify", "extract"])
def test_records_keep_their_order_and_bad_ones_are_reported(run: Run, warc: Path, command: str) -> None:
    outcome = run(command, warc, "--jobs", 3)

    good = [number for number in range(30) if number not in {7, 11}]
    assert [row["page"] for row in outcome.rows] == [f"http://a.example/{number}" for number in good]
    assert outcome.code == exits.SOME_FAILED
    named = "".join(sorted(outcome.err.splitlines(keepends=True)))
    assert named == (
        f"broadsheet: {warc}: http://a.example/11: is empty\n"
        "broadsheet: http://a.example/7: the page's nesting depth is 2,001 or more; at most 2,000 is allowed\n"
    )


def test_several_processes_give_the_same_results_as_one(run: Run, warc: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    [alone] = run("extract", tmp_path / "page.html").rows

    rows = [row for row in run("extract", warc, "--jobs", 2).rows if row["article"]]

    assert len(rows) == 18
    assert all(row["article"]["blocks"] == alone["article"]["blocks"] for row in rows)


@pytest.mark.parametrize("jobs", ["0", "-1", "two"])
def test_an_invalid_number_of_jobs_is_rejected(run: Run, warc: Path, jobs: str) -> None:
    outcome = run("identify", warc, f"--jobs={jobs}")

    assert outcome.code == exits.USAGE
    assert "is not a whole number above 0" in outcome.err


@pytest.mark.parametrize(
    ("number", "send", "code", "line"),
    [
        # As a terminal does it: to all processes at once.
        (signal.SIGINT, os.killpg, exits.INTERRUPTED, "interrupted"),
        (signal.SIGTERM, os.kill, 143, "terminated by SIGTERM"),
    ],
)
def test_a_signal_ends_all_processes_and_leaves_no_file(
    tmp_path: Path, number: int, send: Callable[[int, int], None], code: int, line: str
) -> None:
    (tmp_path / "pages").mkdir()
    for page in range(3_000):
        (tmp_path / "pages" / f"{page}.html").write_text(PAGE)
    command = [*PROGRAM, "extract", str(tmp_path / "pages"), "-o", str(tmp_path / "out.jsonl"), "--jobs", "2"]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 600
    while not any(path.stat().st_size for path in tmp_path.glob(".out.jsonl.*")):
        assert time.monotonic() < deadline
        time.sleep(0.05)

    send(program.pid, number)
    _, err = program.communicate(timeout=600)

    assert program.returncode == code
    assert err == f"broadsheet: {line}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]
    assert is_gone(program.pid)


def test_a_closed_pipe_stops_the_work(warc: Path) -> None:
    with subprocess.Popen([*PROGRAM, "extract", str(warc), str(warc)], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        first = json.loads(program.stdout.readline())
        program.stdout.close()
        program.wait(timeout=600)

    assert first["page"] == "http://a.example/0"
    assert program.returncode == exits.DONE
