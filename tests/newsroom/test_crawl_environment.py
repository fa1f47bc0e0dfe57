"""Arrow and the C library return memory to the system while a crawl writes; Arrow works as before afterwards."""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from broadsheet.archive import returned_memory
from broadsheet.base.companion import Companion
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import ENVIRONMENT, Crawl
from broadsheet.newsroom.crawl_job import CrawlJob
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate


def test_arrow_takes_memory_from_the_system_while_inside() -> None:
    before = pa.default_memory_pool().backend_name

    with returned_memory():
        assert pa.default_memory_pool().backend_name == "system"

    assert pa.default_memory_pool().backend_name == before


def test_a_crawl_commits_with_the_memory_of_the_system(tmp_path: Path) -> None:
    web = NewsWeb(1, 1)
    used: set[str] = set()

    def on_step(step: str) -> None:
        if step == "before put occurrences":
            used.add(pa.default_memory_pool().backend_name)

    assignment = Assignment((web.home(web.sites[0]),), snapshots=1)
    simulate(tmp_path / "news", web.fetch, datetime(2026, 3, 2, 6, tzinfo=UTC), assignment, on_step=on_step)

    assert used == {"system"}


def test_the_crawling_process_never_uses_another_allocator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, str] = {}

    def start(*_: object, environment: dict[str, str], **__: object) -> Companion:
        given.update(environment)
        raise OSError("nothing is started here")

    monkeypatch.setattr(Companion, "start", start)
    crawl = Crawl(CrawlJob(str(tmp_path), Assignment(), Manners(), Limits()))
    with pytest.raises(OSError, match="nothing is started"):
        crawl.__enter__()

    assert given == ENVIRONMENT
    assert given["ARROW_DEFAULT_MEMORY_POOL"] == "system"


#: Prints by how many bytes a process has grown that made files in memory, and something smaller with each that stays.
GROWING = """
import os
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
before, kept = resident(), []
for round in range(2):
    files = []
    for number in range(10):
        files.append(b"x" * 2_000_000)
        kept.append(b"y" * 100_000)
    del files
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="these settings are those of the GNU C library")
def test_files_that_were_made_in_memory_leave_no_holes_in_it_in_the_environment_of_a_crawl() -> None:
    def grown(environment: Mapping[str, str]) -> int:
        others = {name: value for name, value in os.environ.items() if name not in ENVIRONMENT}
        told = subprocess.run(  # noqa: S603 - our own words
            [sys.executable, "-c", GROWING], env={**others, **environment}, capture_output=True, check=True
        )
        return int(told.stdout)

    assert grown(ENVIRONMENT) < 10_000_000 < grown({})
