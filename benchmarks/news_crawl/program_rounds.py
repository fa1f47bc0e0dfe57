"""Other programs as they come, over HTTP on the loopback address: a round at each interval, while time stands still."""

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from benchmarks.news_crawl.engine import Effort, Finds
from benchmarks.news_crawl.grounds import Ground
from broadsheet.base.clock import ManualClock
from broadsheet.base.errors import InputError
from broadsheet.newsweb.server import serve

if TYPE_CHECKING:
    from benchmarks.news_crawl.planned_ground import PlannedPages


def crawl_in_rounds(
    rounds: ModuleType, python: Path, seconds: float, ground: Ground, every: timedelta
) -> tuple[Finds, Effort]:
    """Let a program of another environment follow a site of the news web; it asks through a proxy.

    `rounds` is run as a script by the Python of that environment: for each line, it crawls once, ends that after some
    seconds of the machine, and prints what it has stored anew and whether it was cut short.
    """
    site, finds, clock = cast("PlannedPages", ground), Finds(), ManualClock(ground.start)
    number = cut = 0
    with serve(site.web, clock) as server:
        command = [str(python), str(rounds.__file__), site.web.home(site.web.sites[0]), str(seconds)]
        environment = {**os.environ, "http_proxy": server.url, "no_proxy": ""}
        with subprocess.Popen(  # noqa: S603 - the environment that the user named
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            while clock.now() < ground.end:
                if not (answer := _round(process)):
                    raise InputError(f"{python}: the crawler has ended; what it printed says why")
                came = json.loads(answer)
                number, cut = number + 1, cut + came["is_cut"]
                for url in came["stored"]:
                    if (address := site.addresses.key(url)) is not None:
                        finds.store(address, clock.now())
                clock.advance(every)
            process.kill()
        requests, size = server.counters.total("requests"), server.counters.total("bytes")
    return finds, Effort(requests, size, size, rounds=number, cut_rounds=cut)


def _round(process: "subprocess.Popen[str]") -> str:
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    print(file=process.stdin, flush=True)
    return process.stdout.readline()
