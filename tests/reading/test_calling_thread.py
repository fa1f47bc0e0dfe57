"""Reading a page uses the calling thread alone, whatever libraries would like to start beside it."""

import json
import os
import subprocess
import sys

from tests.corpora.tiny import html

PROGRAM = """
import json, os, sys, time
from broadsheet import analyse
page = sys.stdin.read()
analyse(page, force=True)
process, thread = time.process_time(), time.thread_time()
for _ in range(6):
    analyse(page, force=True)
process, thread = time.process_time() - process, time.thread_time() - thread
print(json.dumps({"process": process, "thread": thread}))
"""


def test_no_other_thread_uses_the_processor_while_a_page_is_read() -> None:
    long_page = html().replace(
        "<footer>", "<p>The harbour was open again on Tuesday, the master said.</p>" * 3000 + "<footer>"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4", "MKL_NUM_THREADS": "4"}

    done = subprocess.run(  # noqa: S603 - the program is above
        [sys.executable, "-c", PROGRAM], input=long_page, capture_output=True, text=True, check=True, env=environment
    )

    used = json.loads(done.stdout)
    assert used["thread"] > 0
    assert used["process"] - used["thread"] <= 0.05 * used["process"]
