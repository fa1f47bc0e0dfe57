"""Reading a page uses the thread that asks for it alone, whatever the libraries below would like to start beside it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux lists a process's threads")

#: Lets libraries use several threads, whatever the environment of the tests says.
SEVERAL = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GOTO_NUM_THREADS"), "4")

# NumPy may start threads of its own when it is imported; what is asked is whether reading starts or uses any.
# The processor time of all threads is compared with that of the one that reads: no load on the machine changes that.
PROGRAM = """
import json, os, time
import numpy
import broadsheet

def threads():
    return sorted(os.listdir("/proc/self/task"))

paragraph = "<p>One of very many paragraphs, with <a href='/more'>a link</a> and a dozen more words of text.</p>"
page = f"<html><head><title>A long story</title></head><body><h1>A long story</h1>{paragraph * 3000}</body></html>"
before = threads()
broadsheet.extract(page, force=True)
process, thread = time.process_time(), time.thread_time()
for _ in range(3):
    assert broadsheet.extract(page, force=True)
process, thread = time.process_time() - process, time.thread_time() - thread
print(json.dumps({"before": before, "after": threads(), "process": process, "thread": thread}))
"""


def test_reading_a_page_starts_no_thread_and_uses_no_other() -> None:
    done = subprocess.run(  # noqa: S603 - the program is above
        [sys.executable, "-c", PROGRAM], env={**os.environ, **SEVERAL}, capture_output=True, text=True, check=True
    )

    found = json.loads(done.stdout)
    assert found["after"] == found["before"]
    assert 0 < found["process"] <= 1.05 * found["thread"]
