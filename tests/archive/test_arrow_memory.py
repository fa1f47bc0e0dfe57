"""Arrow returns memory to the system while a crawl writes, and works as before afterwards."""

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
