"""The panel that a person watches while a crawl runs."""

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, cast

from broadsheet.base import counter_names, reasons
from broadsheet.base.clock import SystemClock
from broadsheet.base.incident import Incident
from broadsheet.cli.console import Console
from broadsheet.cli.watching import watch
from broadsheet.newsroom.crawl_job import Pulse
from broadsheet.newsroom.progress import Progress

if TYPE_CHECKING:
    from broadsheet.newsroom.crawl import Crawl


class Screen(StringIO):
    """A terminal that remembers what it was sent."""

    def isatty(self) -> bool:
        """Say that a person watches."""
        return True


class ScriptedCrawl:
    """A crawl that yields the reports of a test."""

    def __init__(self, *script: Progress | Pulse) -> None:
        """Set the reports to yield."""
        self._script = script

    def reports(self) -> Iterator[Progress | Pulse]:
        """Yield the reports."""
        return iter(self._script)


def shown(*script: Progress | Pulse) -> tuple[str, Progress]:
    """Return what the panel shows of a crawl at its end, with what it did."""
    screen = Screen()
    console = Console(BytesIO(), StringIO(), screen, SystemClock(), width=120)
    progress = watch(cast("Crawl", ScriptedCrawl(*script)), console)
    return screen.getvalue(), progress


def test_the_panel_shows_requests_in_flight_before_the_first_commit() -> None:
    written, progress = shown(Pulse(17))

    assert "17" in written
    assert counter_names.IN_FLIGHT in written
    assert progress == Progress()


def test_the_panel_uses_the_names_of_the_table() -> None:
    written, _ = shown(Progress(snapshots=1, failures={"timeout": 2}, skips={"feed": 3}))

    for name in (
        counter_names.SNAPSHOTS,
        counter_names.SECTIONS,
        counter_names.ARTICLES,
        counter_names.REQUESTS,
        counter_names.FAILED,
        counter_names.SKIPPED,
    ):
        assert name in written.split()


def test_the_panel_names_the_sources_that_fail() -> None:
    incident = Incident("https://a.example/", reasons.NAME, "cannot be fetched (name): no such host", datetime.now(UTC))

    written, progress = shown(Progress(failing={"a.example": incident}), Pulse(0))

    assert "https://a.example/: cannot be fetched (name)" in written
    assert progress.failing == {"a.example": incident}
