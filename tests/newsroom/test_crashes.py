"""A crawl that is killed at any step of a commit, and the same crawl again."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import STEPS
from broadsheet.archive.commit import COMMIT_STEPS
from broadsheet.archive.compaction import COMPACTION_STEPS, REMOVAL_STEPS
from tests.newsroom.crashes import SNAPSHOTS

pytestmark = pytest.mark.long

#: The second commit of a run is the first that holds pages of the web.
TIMES = {
    "before lease": 1,
    "after lease": 1,
    "before sweep": 1,
    "after sweep": 1,
    "before release": 1,
    "after release": 1,
}


def outcomes(folder: Path, steps: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """Kill and resume a crawl at each of some steps."""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-m", "tests.newsroom.crashes", str(folder), json.dumps(steps)],
        capture_output=True,
        check=False,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_nothing_was_lost(outcome: dict[str, Any]) -> None:
    assert outcome["code"] == -signal.SIGKILL, "the step was never reached"
    assert outcome["reported"] <= outcome["held"], "something reported as kept was lost"
    assert outcome["again"] == 0, "the same crawl did not go on"
    assert outcome["problems"] == []
    assert outcome["repaired"]["articles"] == outcome["articles"]
    assert outcome["left"] == []
    # The site published through all snapshots of the second run too: a page stuck on 304 would hide that.
    assert len(outcome["articles"]) >= 8 + SNAPSHOTS
    assert outcome["articles"] == sorted(set(outcome["articles"]))
    assert outcome["versions"] == len(outcome["articles"])
    # Killed after the last commit, a crawl has reached its goal, and the same command begins another one.
    goals = 2 if outcome["step"] in {"before release", "after release"} else 1
    assert outcome["homes"] == outcome["snapshots"] == goals * SNAPSHOTS
    assert outcome["waiting"] == 0


def steps_of_a_run() -> list[tuple[str, int]]:
    """Return every step of a commit, and of beginning and ending a run, with the time at which to kill."""
    return [(step, TIMES.get(step, 2)) for step in STEPS if step not in COMPACTION_STEPS + REMOVAL_STEPS]


def test_a_kill_at_any_kind_of_step_of_a_commit_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    # All files are put into the archive alike, and tests/archive/test_crash.py kills a writer at every step of that and
    # of merging: here it is enough to have put each of them. Files are removed minutes after they were merged, and that
    # test has a clock for it.
    files = ("warc", "visits", "occurrences")
    alike = [step for step in COMMIT_STEPS if step.endswith(files) and "replace" not in step]
    steps = [(step, time) for step, time in steps_of_a_run() if step not in alike]
    merging = [(step, 1) for step in COMPACTION_STEPS[::8]]

    found = outcomes(tmp_path, steps + merging)

    assert [outcome["step"] for outcome in found] == [step for step, _ in steps + merging]
    for outcome in found:
        assert_nothing_was_lost(outcome)


@pytest.mark.soak
def test_the_same_holds_for_every_step(tmp_path: Path) -> None:
    steps = [*steps_of_a_run(), *((step, 1) for step in COMPACTION_STEPS)]

    for outcome in outcomes(tmp_path, steps):
        assert_nothing_was_lost(outcome)


@pytest.mark.soak
@pytest.mark.parametrize("time", [1, 3, 4])
def test_the_same_holds_for_every_commit(tmp_path: Path, time: int) -> None:
    steps = [(step, time) for step in COMMIT_STEPS]

    for outcome in outcomes(tmp_path, steps):
        assert_nothing_was_lost(outcome)
