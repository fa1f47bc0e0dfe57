"""Pages fetched once, politely, in a process of their own: from anywhere, as often as one likes."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable
from dataclasses import asdict
from importlib.util import find_spec
from typing import Any, BinaryIO, cast

from broadsheet.base.manners import Manners
from broadsheet.crawling import frames
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import Outcome

_COMMAND = (sys.executable, "-m", "broadsheet.crawling.fetch_process")


def fetch(urls: Iterable[str], manners: Manners) -> Generator[Outcome]:
    """Give what came of each URL, as it comes; the tag of a request is the URL's place among those given.

    Whoever stops listening, be it by Ctrl-C, ends the fetching.
    """
    wanted = list(urls)
    if not wanted:
        return
    if find_spec("scrapy") is None:
        raise CrawlError("fetching pages needs: pip install 'broadsheet[crawl]'")
    job = {"urls": wanted, "manners": asdict(manners), "parent": os.getpid()}
    # In a session of its own no Ctrl-C reaches the child: it ends when we end it.
    with subprocess.Popen(  # noqa: S603 - it is our own module that is run
        _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as child:
        try:
            yield from _outcomes(child, job, len(wanted))
        finally:
            child.kill()


def _outcomes(child: subprocess.Popen[bytes], job: dict[str, Any], wanted: int) -> Generator[Outcome]:
    with contextlib.suppress(BrokenPipeError), cast("BinaryIO", child.stdin) as line:
        line.write(json.dumps(job).encode("ascii") + b"\n")
    told = 0
    while (outcome := frames.read(cast("BinaryIO", child.stdout))) is not None:
        told += 1
        yield outcome
    if told < wanted:
        raise CrawlError(f"the process that fetches ended with {child.wait()} before its work was done")
