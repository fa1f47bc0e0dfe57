# ruff: noqa: S603 - the program that is started is ours
"""How the tests themselves are run."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SOME = """
import pytest

def test_skipped():
    pytest.skip("nothing here")

def test_passed():
    pass
"""
IN_TWO_PROCESSES = ["--numprocesses", "2", "--dist", "loadfile"]


INTERRUPTED = """
import signal, subprocess, sys

def test_a_program_is_interrupted():
    wait = "print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", wait], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        assert program.wait() == -signal.SIGINT
"""


def run(folder: Path, *options: str, through: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [
        *through,
        sys.executable,
        "-m",
        "pytest",
        "-o",
        "addopts=",
        "-p",
        "tests.conftest",
        *options,
        str(folder),
    ]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize("way", [["-p", "no:xdist"], IN_TWO_PROCESSES])
def test_a_skipped_test_fails_the_run_where_none_may_be_skipped(tmp_path: Path, way: list[str]) -> None:
    (tmp_path / "test_some.py").write_text(SOME, encoding="utf-8")

    refused = run(tmp_path, *way, "--no-skips")

    assert refused.returncode == pytest.ExitCode.TESTS_FAILED
    assert "1 tests were skipped, and none may be" in refused.stdout
    assert "nothing here" in refused.stdout


def test_a_test_that_fails_in_another_process_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(SOME, encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_failing():\n    assert 1 == 2\n", encoding="utf-8")

    ran = run(tmp_path, *IN_TWO_PROCESSES)

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert "test_other.py::test_failing" in ran.stdout
    assert "1 failed, 1 passed, 1 skipped" in ran.stdout


@pytest.mark.parametrize("way", [["-p", "no:xdist"], IN_TWO_PROCESSES])
def test_programs_can_be_interrupted_in_a_run_that_ignores_interrupts(tmp_path: Path, way: list[str]) -> None:
    (tmp_path / "test_interrupts.py").write_text(INTERRUPTED, encoding="utf-8")

    ran = run(tmp_path, *way, through=["sh", "-c", 'trap "" INT; exec "$@"', "sh"])

    assert (ran.returncode, ran.stderr) == (pytest.ExitCode.OK, "")
