"""Many sources in one process: none starves, and slow ones make no other late."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.many_sources import SourceGroup, is_fair, main

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells a process's memory")

REPOSITORY = Path(__file__).resolve().parents[2]
OTHERS = SourceGroup("others", 9, 1.0, 0.0, 0.0, 0.0, published=5, archived=5, wrong=0, twice=0)


def test_a_slow_source_makes_no_other_late(tmp_path: Path) -> None:
    target = tmp_path / "many.json"

    code = main(["--sources", "2", "--slow", "1", "--hours", "2", "--json", str(target)])

    report = json.loads(target.read_text())
    assert code == 0
    assert [(group["group"], group["least_asked"]) for group in report["groups"]] == [("slow", 1.0), ("others", 1.0)]
    assert len(report["stocks"]) == 2


def test_a_starved_source_and_a_late_one_are_unfair_but_a_slow_one_may_be_late() -> None:
    slow = replace(OTHERS, group="slow", worst_p95=0.9)

    assert is_fair([slow, OTHERS])
    assert not is_fair([replace(slow, least_asked=0.5), OTHERS])
    assert not is_fair([slow, replace(OTHERS, worst_p95=0.2)])


def test_sources_can_be_followed_without_html(tmp_path: Path) -> None:
    target = tmp_path / "bare.json"

    few = ["--sources", "3", "--slow", "1", "--hours", "4", "--pace", "arrivals"]
    code = main(["--as", "occurrences", *few, "--json", str(target)])

    report = json.loads(target.read_text())
    slow, others = report["groups"]
    assert code == 0
    assert (slow["least_asked"], others["least_asked"]) == (1.0, 1.0)
    assert others["archived"] >= 0.9 * others["published"] > 0
    assert all((group["wrong"], group["twice"]) == (0, 0) for group in report["groups"])
    requests = [stock["requests"] for stock in report["stocks"]]
    assert requests == sorted(requests)


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, so that memory which earlier tests have used does not count."""
    command = [sys.executable, "-m", "benchmarks.many_sources", *options]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)  # noqa: S603 - our own words


def test_the_command_runs_in_a_process_of_its_own() -> None:
    done = run("--as", "occurrences", "--sources", "1", "--slow", "0", "--hours", "1")

    assert done.returncode == 0, done.stderr
    assert "memory: " in done.stdout


@pytest.mark.soak
def test_two_hundred_sources_for_a_week_without_html() -> None:
    # As small as those that docs/explanation/benchmarks.md reports.
    done = run("--as", "occurrences", "--days", "7", "--pace", "arrivals", "--sections", "2", "--articles", "0.03")

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_two_hundred_sources_for_a_day() -> None:
    done = run()

    assert done.returncode == 0, done.stdout + done.stderr
