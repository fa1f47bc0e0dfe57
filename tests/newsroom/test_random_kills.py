"""The program killed at random moments, again and again, on a site over HTTP in accelerated time."""

import json
import os
import random
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import pytest

from broadsheet.archive import Store
from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.cli import exits
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.web import NewsWeb
from tests.archive.samples import harm
from tests.newsroom.mending import problems, repaired
from tests.newsroom.program import LOOPBACK, run, start

KILLS = 50


def kill(process: subprocess.Popen[str]) -> None:
    """Kill the program and the process that it started, or only one of them."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    children = [int(number) for number in listed.read_text().split()] if listed.exists() else []
    for number in random.choice(([process.pid], children or [process.pid], [process.pid, *children])):
        os.kill(number, signal.SIGKILL)
    process.communicate(timeout=600)


def kept(folder: Path) -> dict[str, int]:
    """Return the articles of an archive with the number of their versions."""
    if not (folder / "catalogue.sqlite").exists():
        return {}
    with Store.open(folder) as archive:
        return {stored.key: len(archive.versions(stored.key)) for stored in archive.articles()}


@pytest.mark.soak
def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    random.seed(1)
    folder, web = tmp_path / "news", NewsWeb(1, 1)
    clock = AcceleratedClock(SystemClock(), datetime(2026, 3, 2, tzinfo=UTC), 1800)
    seen: dict[str, int] = {}
    with serve(web, clock) as server:
        command = ("crawl", folder, server.by_host(web.sites[0]), "--every", "2s", *LOOPBACK)
        for _ in range(KILLS):
            process = start(*command)
            sleep(random.uniform(1.0, 9.0))
            kill(process)
            now = kept(folder)
            assert seen.keys() <= now.keys()
            seen = now
        code, out, _ = run(*command, "--snapshots", 3)

    assert code == exits.DONE
    assert json.loads(out)["unchanged"] < json.loads(out)["visits"], "every page is stuck on 304"
    assert set(kept(folder).values()) == {1}
    assert (
        len(kept(folder))
        > len(web.articles(datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC))) / 2
    )
    with Store.open(folder) as archive:
        assert harm(archive) == []
    before = kept(folder)
    repaired(folder)
    assert problems(folder) == []
    assert kept(folder) == before
