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
from broadsheet.base import reasons
from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.cli import exits
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.web import NewsWeb
from tests.archive.samples import harm
from tests.attacks.damaged_archives import problems, repaired
from tests.newsroom.program import LOOPBACK, children, run, serving, start
from tests.newsroom.site import article_path, front, story

KILLS = 50
READER_KILLS = 5
#: An article may change, but then it has two versions for a good reason.
FOR_GOOD = ("--set", "newsroom.revisit_after=0")


def kill(process: subprocess.Popen[str]) -> None:
    """Kill the program and the process that it started, or only one of them."""
    started = children(process.pid)
    for number in random.choice(([process.pid], started or [process.pid], [process.pid, *started])):
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
        command = ("crawl", folder, server.by_host(web.sites[0]), "--every", "2s", *FOR_GOOD, *LOOPBACK)
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


def kill_readers(process: subprocess.Popen[str], kills: int) -> int:
    """Kill processes that read pages, at random moments while a crawl runs; return how many."""
    killed = 0
    while process.poll() is None and killed < kills:
        readers = [reader for crawler in children(process.pid) for reader in children(crawler)]
        if readers:
            sleep(random.uniform(0.0, 0.5))
            try:
                os.kill(random.choice(readers), signal.SIGKILL)
            except ProcessLookupError:
                continue
            killed += 1
        sleep(0.1)
    return killed


@pytest.mark.long
def test_readers_that_are_killed_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    random.seed(2)
    numbers = range(1, 61)
    stories = {article_path(number): story(f"story {number}") for number in numbers}
    slowly = ("--set", "crawl.delay=0.1", "--snapshots", 1)
    with serving({"/": front(*stories), **stories}) as site:
        process = start("crawl", tmp_path / "news", site.url, *LOOPBACK, *slowly)
        killed = kill_readers(process, READER_KILLS)
        out, _ = process.communicate(timeout=600)

    assert process.returncode == exits.DONE
    assert killed == READER_KILLS, "the crawl ended before its readers could be killed"
    versions, failures = kept(tmp_path / "news"), json.loads(out)["failures"]
    # A page is put aside whose reader died twice; each page was fetched once, whoever read it.
    assert set(failures) <= {reasons.CRASHED}
    assert failures.get(reasons.CRASHED, 0) <= killed / 2
    assert len(versions) + failures.get(reasons.CRASHED, 0) == len(numbers)
    assert set(versions.values()) == {1}
    assert sorted(path for path in site.asked if path in stories) == sorted(stories)
    with Store.open(tmp_path / "news") as archive:
        assert list(archive.check()) == []
