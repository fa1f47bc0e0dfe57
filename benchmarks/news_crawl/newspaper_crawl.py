"""newspaper4k as it comes, over HTTP on the loopback address: a round at each interval, while the time stands still."""

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

from benchmarks.news_crawl import newspaper_rounds
from benchmarks.news_crawl.engine import Effort, Finds
from benchmarks.news_crawl.grounds import Ground
from broadsheet.base.clock import ManualClock
from broadsheet.base.errors import InputError
from broadsheet.newsweb.server import serve

if TYPE_CHECKING:
    from benchmarks.news_crawl.planned_ground import PlannedPages


def crawl_with_newspaper(python: Path, ground: Ground, every: timedelta) -> tuple[Finds, Effort]:
    """Let the newspaper4k of an environment follow a site of the news web; it asks through a proxy."""
    site, finds, clock = cast("PlannedPages", ground), Finds(), ManualClock(ground.start)
    with serve(site.web, clock) as server:
        command = [str(python), newspaper_rounds.__file__, site.web.home(site.web.sites[0])]
        environment = {**os.environ, "http_proxy": server.url, "no_proxy": ""}
        with subprocess.Popen(  # noqa: S603 - the environment that the user named
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            while clock.now() < ground.end:
                if not (answer := _round(process)):
                    raise InputError(f"{python}: newspaper4k has ended; what it printed says why")
                for url in json.loads(answer):
                    if (address := site.addresses.key(url)) is not None:
                        finds.store(address, clock.now())
                clock.advance(every)
            process.kill()
        requests, size = server.counters.total("requests"), server.counters.total("bytes")
    return finds, Effort(requests, size, size)


def _round(process: "subprocess.Popen[str]") -> str:
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    print(file=process.stdin, flush=True)
    return process.stdout.readline()
