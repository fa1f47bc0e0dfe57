"""The process that fetches for another: what to fetch comes in as JSON, outcomes go out; it ends with its parent."""

import json
import os
import sys
from typing import BinaryIO

from broadsheet.base.clock import SystemClock
from broadsheet.base.manners import Manners
from broadsheet.base.parent import end_with
from broadsheet.crawling import frames, live_crawl
from broadsheet.crawling.fetch_messages import Outcome, Request


def main() -> None:
    """Fetch the URLs that standard input names, and write what came of them to standard output."""
    # Whatever else might write to standard output must not come between the frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = json.loads(sys.stdin.buffer.readline())
    end_with(job["parent"])
    requests = [Request(url, tag=str(number)) for number, url in enumerate(job["urls"])]
    live_crawl.crawl(
        requests, lambda outcome: _tell(outcome, out), manners=Manners(**job["manners"]), clock=SystemClock()
    )


def _tell(outcome: Outcome, out: BinaryIO) -> tuple[()]:
    frames.write(outcome, out)
    return ()


if __name__ == "__main__":
    main()
