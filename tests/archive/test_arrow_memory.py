"""Arrow returns memory to the system while a crawl writes, and works as before afterwards."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from broadsheet.archive import returned_memory
from broadsheet.newsroom.assignment import Assignment
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
