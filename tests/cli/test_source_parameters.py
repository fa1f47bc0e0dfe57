"""What set the pace of a section, and who set each parameter of a source."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from tests.newsroom.site import ONCE
from tests.newsroom.test_phases import steady_site

Run = Callable[..., Any]
SPORT = "gazette.example/sport"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives") / "news"
    steady_site().crawl(folder, snapshots=16, settings=replace(ONCE, pace="adaptive"))
    return folder


def test_every_parameter_shows_its_scope_its_value_and_who_set_it(run: Run, archive: Path) -> None:
    outcome = run("config", "show", "--source", str(archive), "gazette.example", "--set", "newsroom.pace=adaptive")

    assert outcome.code == exits.DONE
    rows = {(row["scope"], row["of"], row["key"]): row for row in outcome.rows}
    pace = rows["system", "", "newsroom.pace"]
    assert (pace["value"], pace["set_by"], pace["because"]) == ("adaptive", "user", "--set")
    assert rows["system", "", "newsroom.review_every"]["set_by"] == "default"
    assert rows["source", "gazette.example", "every"]["set_by"] == "user"
    assert rows["source", "gazette.example", "requests_per_hour"]["value"] == 2_000
    phase = rows["source", "gazette.example", "phase"]
    assert (phase["value"], phase["set_by"]) == ("exploitation", "updater")
    assert rows["section", "gazette.example", "every"]["set_by"] == "user"
    section = rows["section", SPORT, "every"]
    assert (section["set_by"], section["because"]) == ("updater", "adaptive")
    assert section["value"] > 3600.0
    depth = rows["section", SPORT, "depth"]
    assert (depth["value"], depth["set_by"], depth["because"]) == (10, "default", "")


def test_a_source_that_the_archive_does_not_have_is_named(run: Run, archive: Path) -> None:
    outcome = run("config", "show", "--source", str(archive), "other.example")

    assert outcome.code == exits.FAILED
    assert "other.example" in outcome.err


def test_sections_show_what_set_their_pace_and_what_may_be_missed(run: Run, archive: Path) -> None:
    outcome = run("sections", str(archive))

    [sport] = [row for row in outcome.rows if row["key"] == SPORT]
    assert (sport["set_by"], sport["gaps"], sport["depth"], sport["listed"]) == ("adaptive", 0, 10, 12)
    assert sport["missed_a_day"] == 0.0
    assert run("sections", str(archive), "--left").rows == []


def test_status_and_why_show_the_phase(run: Run, archive: Path) -> None:
    [source, _] = run("status", str(archive)).rows
    assert source["phase"] == "exploitation"
    assert source["phase_evidence"]["evaluator"] == "quality"

    why = run("why", str(archive), "gazette.example", "-f", "text").out
    assert "event: phase on 2026-03-02" in why
    assert "its pace was set by user" in why
