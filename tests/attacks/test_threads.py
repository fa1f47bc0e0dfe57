"""Reading a page keeps one core busy, whatever the libraries below would like to use."""

import os
import subprocess
import sys

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "GOTO_NUM_THREADS")

# The processor time of all threads against that of the one that reads: no load on the machine changes their ratio.
_READING = """
import time
import broadsheet

paragraph = "<p>One of very many paragraphs, with <a href='/more'>a link</a> and a dozen more words of text.</p>"
page = f"<html><head><title>A long story</title></head><body><h1>A long story</h1>{paragraph * 3000}</body></html>"
broadsheet.extract(page, force=True)
everyone, ours = time.process_time(), time.thread_time()
for _ in range(3):
    assert broadsheet.extract(page, force=True)
print((time.process_time() - everyone) / (time.thread_time() - ours))
"""


def test_only_the_thread_that_asks_works() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in _THREADS}
    command = [sys.executable, "-c", _READING]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert float(ran.stdout) < 1.1
