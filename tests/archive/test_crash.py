"""A kill at any moment loses nothing that was reported as kept, and duplicates nothing on resume."""

import signal
from pathlib import Path

import pytest

from broadsheet.archive import STEPS, Store
from broadsheet.archive.commit import COMMIT_STEPS
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock
from broadsheet.base.counters import Counted
from tests.archive.processes import KEYS, context, work
from tests.archive.samples import NOON, harm, keep


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_loses_and_doubles_nothing(archive: Store, tmp_path: Path, step: str) -> None:
    journal = tmp_path / "journal"
    journal.touch()
    # The second commit has one before it to lose and one after it to go wrong.
    times = 2 if step in COMMIT_STEPS else 1

    child = context.Process(target=work, args=(str(archive.folder), str(journal), step, times))
    child.start()
    child.join(600)

    assert child.exitcode == -signal.SIGKILL
    reported = journal.read_text(encoding="utf-8").split()
    assert set(reported) <= set(archive.pages(KEYS))
    assert {stored.key for stored in archive.articles()} == set(archive.pages(KEYS))
    assert harm(archive) == []

    work(str(archive.folder), str(journal), "no such step", 1)

    # What was put in place before the kill is kept aside; here it was all fetched again.
    assert all(problem.harmless and problem.where.startswith("lost+found/") for problem in archive.check())
    assert sorted(stored.key for stored in archive.articles()) == list(KEYS)
    assert {stored.version for stored in archive.articles()} == {1}
    assert {archive.exchange(stored).body for stored in archive.articles()} == {key.encode() for key in KEYS}
    assert sorted(archive.visits().to_table()["page"].to_pylist()) == list(KEYS)
    targets = archive.occurrences().to_table()["target"].to_pylist()
    assert sorted(targets) == sorted(f"{key}/{number}" for key in KEYS for number in (1, 2))
    assert archive.counters.snapshot()[Counted("kept pages")] == len(KEYS)
    assert archive.status().holder is None


def test_every_step_is_announced_in_order(archive: Store) -> None:
    announced: list[str] = []

    machine = ManualClock(NOON)

    with archive.writer(on_step=announced.append, most_files=1, machine=machine) as writer:
        for key in KEYS[:2]:
            keep(writer, key, key.encode())
        machine.advance(GRACE * 2)
        writer.heartbeat()

    opening, rest = STEPS[: STEPS.index(COMMIT_STEPS[0])], STEPS[STEPS.index(COMMIT_STEPS[0]) :]
    assert tuple(announced) == (*opening, *COMMIT_STEPS, *rest)
