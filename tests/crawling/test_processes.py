import subprocess
import sys
from pathlib import Path

import pytest

from broadsheet.crawling.rendering._processes import descendants, kill_all, memory, with_command_line

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, which Linux has")

PARENT = """
import subprocess, sys, time
held = bytearray(50_000_000)
held[::4096] = b"x" * len(held[::4096])
child = subprocess.Popen([sys.executable, "-c", "input()", sys.argv[1]], stdin=subprocess.PIPE)
print(child.pid, flush=True)
time.sleep(60)
"""


def test_a_tree_of_processes_is_found_weighed_and_ended(tmp_path: Path) -> None:
    marker = str(tmp_path)
    command = [sys.executable, "-c", PARENT, marker]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:  # noqa: S603 - a command of our own
        assert parent.stdout is not None
        child = int(parent.stdout.readline())

        assert descendants(parent.pid) == [child]
        assert sorted(with_command_line(marker)) == sorted([parent.pid, child])
        assert memory([parent.pid]) > 50_000_000 > memory([child])
        assert kill_all(lambda: [pid for pid in with_command_line(marker) if pid != parent.pid])
        parent.kill()

    assert with_command_line(marker) == []
    assert descendants(parent.pid) == []
    assert memory([parent.pid]) == 0


def test_what_cannot_be_ended_does_not_hold_us_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.crawling.rendering._processes._TRIES", 3)

    # No process can have this number.
    assert not kill_all(lambda: [2**22 + 1])
