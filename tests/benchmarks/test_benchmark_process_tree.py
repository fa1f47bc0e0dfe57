import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.process_tree import TreeWatch, cpu_seconds, descendants

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells the times of processes")

WORK = "import time\nwhile time.process_time() < {}: pass\n"
PARENT = "import subprocess, sys, time\nsubprocess.run([sys.executable, '-c', {child!r}])\n" + WORK.format(0.3)


def test_the_work_of_a_process_and_of_its_child_are_counted_apart() -> None:
    begin = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", PARENT.format(child=WORK.format(0.5))]) as process:  # noqa: S603 - our own program
        with TreeWatch(process.pid) as watch:
            process.wait()
        seconds = watch.between(begin, time.monotonic())

    own = seconds.pop(process.pid)
    assert 0.2 < own < 0.45
    assert sum(seconds.values()) == pytest.approx(0.5, abs=0.1)


def test_nothing_was_done_before_the_first_look() -> None:
    with TreeWatch(1) as watch:
        pass

    assert watch.between(0.0, 1.0) == {}


def test_a_process_that_is_gone_has_no_time_and_no_children() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

    assert cpu_seconds(process.pid) is None
    assert list(descendants(process.pid)) == []
