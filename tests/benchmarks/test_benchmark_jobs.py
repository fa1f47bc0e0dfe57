from pathlib import Path

import pytest
from benchmarks.jobs import Measured, Share

from benchmarks import jobs


def share(worked: float, waited: float, life: float) -> Share:
    return Share(begun=0.0, life=life, worked=worked, waited=waited)


def test_time_in_which_a_process_neither_works_nor_wants_a_core_is_sleep() -> None:
    assert share(worked=2.0, waited=5.0, life=10.0).slept == 3.0


def test_on_free_cores_nobody_waits_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "cores", lambda: 2)
    slow = share(worked=6.0, waited=20.0, life=27.0)
    program = share(worked=2.0, waited=1.0, life=30.0)

    assert Measured(1, 30.0, program, (slow,), start=0.5).free == 0.5 + 6.0 + 1.0
    # Three processes cannot all work at once on two cores.
    assert Measured(2, 30.0, share(8.0, 0.0, 30.0), (slow, slow), start=0.5).free == 10.0


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux says what a process waited for")
def test_the_benchmark_watches_the_program_with_one_and_two_workers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert jobs.main([str(folder), "--sample", "6", "--repeat", "1"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:4]] == ["1", "2"]
    assert "times as fast by the wall" in lines[5]


def test_no_pages_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert jobs.main([str(tmp_path)]) == 1
    assert "no pages in" in capsys.readouterr().err
