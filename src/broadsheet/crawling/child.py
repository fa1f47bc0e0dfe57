"""The process that fetches for another: what to fetch comes in as JSON, outcomes go out; it ends with its parent."""

import json
import os
import sys
import threading
import time
from typing import BinaryIO

from broadsheet.base.clock import SystemClock
from broadsheet.base.manners import Manners
from broadsheet.crawling import frames, live
from broadsheet.crawling.messages import Outcome, Request

_PARENT_CHECK_SECONDS = 0.5


def main() -> None:
    """Fetch the URLs that standard input names, and write what came of them to standard output."""
    # Whatever else might write to standard output must not come between the frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with, args=(job["parent"],), daemon=True).start()
    requests = [Request(url, tag=str(number)) for number, url in enumerate(job["urls"])]
    live.crawl(requests, lambda outcome: _tell(outcome, out), manners=Manners(**job["manners"]), clock=SystemClock())


def _tell(outcome: Outcome, out: BinaryIO) -> tuple[()]:
    frames.write(outcome, out)
    return ()


def _end_with(parent: int) -> None:
    """End this process with its parent, also where one that the parent forked keeps our pipes open."""
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
