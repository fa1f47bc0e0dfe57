"""What the demo shows at its end, and for how many days it follows the sites."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.cli.commands.demo_command import show
from broadsheet.cli.console import Console
from broadsheet.newsroom.progress import Progress
from broadsheet.outputs.crawl_timeline import CrawlTimeline
from broadsheet.simulation import demonstration
from broadsheet.simulation.archive_score import ArchiveScore
from broadsheet.simulation.crawl_savings import CrawlSavings
from broadsheet.simulation.demonstration import (
    MAX_SECONDS,
    MIN_DAYS,
    MIN_SPARE,
    USUAL_DAYS,
    Demonstration,
    DemoResult,
)

SPEED = 5400.0
SCORE = ArchiveScore("http://paper.localhost/", 12, 11, 100, 98, 7, 1, 2, titles=104, text=0.991)
SAVINGS = CrawlSavings(
    phase="exploitation",
    switch_hour=5.2,
    switch_snapshot=6,
    fronts=13,
    front_visits=250,
    hourly_visits=1000,
    front_bytes=4_000_000,
    hourly_bytes=40_000_000,
    timeline=CrawlTimeline("A title", [1], [1], [1], [1], []),
)
ROWS = [
    {"section": "home page", "articles": 40, "new_a_day": 12.5, "first_shown_here": "80%", "visited_every": "30 min"},
    {"section": "Sport", "articles": 20, "new_a_day": None, "first_shown_here": None, "visited_every": "4 h"},
]
RESULT = DemoResult(SCORE, SAVINGS, Path("news/demo-paper.svg"), Path("news/demo-paper-sections.svg"), ROWS)


class Terminal(io.StringIO):
    """A terminal that notes what is written."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def shown(results: Sequence[DemoResult] = (RESULT,)) -> str:
    """Return what the demo writes to a terminal."""
    out = Terminal()
    console = Console(io.BytesIO(), out, io.StringIO(), SystemClock(), width=120)
    show(results, Progress(snapshots=72, requests=400, unchanged=50, bytes=9_900_000), Path("my news"), console)
    return out.getvalue()


def test_the_demo_says_when_it_switched_and_what_that_saved() -> None:
    text = shown()

    assert "exploitation since hour 5.2 (snapshot 6): the sections are known" in text
    assert "11 of 12 found and followed" in text
    assert "98 of 100 published during the crawl archived (98.0%)" in text
    assert "7 older articles archived too; 1 pages archived by mistake, 2 twice" in text
    assert "75% of the visits and 90% of the bytes that visiting everything every hour takes" in text
    assert "250 visits and 4.0 MB to look for news on 13 fronts, not 1,000 and 40.0 MB" in text
    assert "hourly visits are counted in full, as if no page were ever unchanged and answered with 304" in text


def test_the_demo_says_so_if_it_is_still_exploring() -> None:
    explored = replace(SAVINGS, phase="exploration", switch_hour=None, switch_snapshot=None)

    text = shown([replace(RESULT, savings=explored)])

    assert "exploration: it is not certain yet what its sections are" in text
    assert "exploitation since" not in text


def test_the_demo_shows_a_table_of_sections_and_where_its_pictures_are() -> None:
    lines = shown().splitlines()

    [head] = [number for number, line in enumerate(lines) if line.startswith("section ")]
    assert "visited every" in lines[head]
    assert [line.split()[0] for line in lines[head + 2 : head + 4]] == ["home", "Sport"]
    assert "pictures    news/demo-paper.svg and demo-paper-sections.svg" in "\n".join(lines)


def test_the_demo_ends_with_commands_that_can_be_typed_next() -> None:
    steps = shown().partition("What to type next:\n")[2].splitlines()

    commands = [line.split("  ")[1] for line in steps if not line.startswith("   ")]
    assert all(command.startswith("broadsheet ") for command in commands)
    assert "broadsheet sections 'my news'" in commands
    assert "broadsheet events 'my news' --kind phase" in commands
    assert "broadsheet demo 'my news'" in commands


def test_the_rows_that_are_piped_have_all_figures() -> None:
    row = RESULT.to_dict()

    assert (row["recall"], row["saved"], row["saved_bytes"], row["switch_snapshot"]) == (0.98, 0.75, 0.9, 6)
    assert (row["picture"], row["section_map"]) == ("news/demo-paper.svg", "news/demo-paper-sections.svg")
    assert row["section_rows"] == ROWS


def made(
    monkeypatch: pytest.MonkeyPatch, folder: Path, spare: float, days: float | None, sites: int = 1
) -> Demonstration:
    """Return a demonstration on a machine that leaves a share of a processor."""
    monkeypatch.setattr(demonstration, "spare_share", lambda _: spare)
    return Demonstration(folder / "demo", None, sites, days, SPEED)


@pytest.mark.parametrize("spare", [1.0, 0.8, 0.5, 0.3, MIN_SPARE])
def test_a_busy_machine_follows_the_site_for_fewer_days_instead_of_longer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spare: float
) -> None:
    demo = made(monkeypatch, tmp_path, spare, None)

    assert demo.seconds <= MAX_SECONDS
    assert MIN_DAYS <= demo.days <= USUAL_DAYS
    assert (demo.days == USUAL_DAYS) == (spare >= 0.6)
    assert demo.days * 24 == int(demo.days * 24), "whole hours"


def test_days_that_were_asked_for_are_kept_however_long_they_take(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    demo = made(monkeypatch, tmp_path, MIN_SPARE, 3.0)

    assert (demo.days, demo.seconds) == (3.0, 240.0)


def test_several_sites_are_followed_for_a_day_at_least(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    demo = made(monkeypatch, tmp_path, 1.0, None, sites=10)

    assert (demo.days, demo.seconds) == (MIN_DAYS, 160.0)
