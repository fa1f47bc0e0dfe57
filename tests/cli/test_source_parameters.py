"""What set the pace of a section, and who set each parameter of a source."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.feed_leadership import BY_FEEDS
from broadsheet.newsroom.front_paces import BY_FAILURES, BY_PHASE, BY_USER
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.feed_sites import FEEDS, NAMED, page_with, rss, stories
from tests.newsroom.site import HOME, ONCE, START, ScriptedSite, article_path
from tests.newsroom.test_paced_crawls import busy_site
from tests.newsroom.test_phases import steady_site

Run = Callable[..., Any]
REPOSITORY = Path(__file__).parents[2]
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
    assert (rows["source", "gazette.example", "pace"]["value"]) == "adaptive"
    assert section["value"] > 3600.0
    depth = rows["section", SPORT, "depth"]
    assert (depth["value"], depth["set_by"], depth["because"]) == (10, "default", "")


Rows = dict[tuple[str, str, str], Any]


def rows_of(run: Run, folder: Path, *options: str) -> Rows:
    outcome = run("config", "show", "--source", str(folder), "gazette.example", *options)
    assert outcome.code == exits.DONE, outcome.err
    return {(row["scope"], row["of"], row["key"]): row for row in outcome.rows}


def test_a_budget_of_all_sources_was_set_by_the_user_if_that_was(run: Run, archive: Path) -> None:
    by_default = rows_of(run, archive)["source", "gazette.example", "requests_per_hour"]
    given = rows_of(run, archive, "--set", "source.max_requests=300")["source", "gazette.example", "requests_per_hour"]

    assert (by_default["value"], by_default["set_by"], by_default["because"]) == (2_000, "default", "")
    assert (given["value"], given["set_by"], given["because"]) == (300, "user", "source.max_requests, --set")


def test_a_home_page_that_a_policy_visits_more_often_was_not_set_by_the_user(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    busy_site().crawl(folder, snapshots=14, settings=replace(ONCE, pace="arrivals"))

    rows = rows_of(run, folder)

    home, pace = rows["section", "gazette.example", "every"], rows["source", "gazette.example", "pace"]
    assert home["value"] < 3600.0
    assert (home["set_by"], home["because"]) == ("updater", "arrivals")
    assert (pace["value"], pace["set_by"]) == ("arrivals", "default")
    assert pace["because"] == "newsroom.pace of the last crawl"


def test_an_interval_was_set_by_the_user_only_if_one_was_given(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    simulate(folder, steady_site().fetch, START, Assignment((HOME,), snapshots=1), settings=ONCE)
    by_default = rows_of(run, folder)

    run("sources", "set", str(folder), "gazette.example", "every=1h")
    given = rows_of(run, folder)

    run("sources", "set", str(folder), "gazette.example", "every=")
    reset = rows_of(run, folder)

    keys = [("source", "gazette.example", "every"), ("section", "gazette.example", "every")]
    assert [[rows[key]["value"] for key in keys] for rows in (by_default, given, reset)] == [[3600.0, 3600.0]] * 3
    assert [[rows[key]["set_by"] for key in keys] for rows in (by_default, given, reset)] == [
        ["default", "default"],
        ["user", "user"],
        ["default", "default"],
    ]


def test_the_pace_of_a_source_is_that_of_its_last_crawl(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    for pace in ("fixed", "arrivals"):
        steady_site().crawl(folder, snapshots=1, settings=replace(ONCE, pace=pace))

    row = rows_of(run, folder)["source", "gazette.example", "pace"]

    assert (row["value"], row["set_by"]) == ("arrivals", "default")


def test_feeds_show_how_often_they_are_visited_and_what_they_are_worth(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    paths = [article_path(number) for number in range(1, 5)]
    site = ScriptedSite({"/": page_with(NAMED, *paths), "/news.rss": rss(paths), **stories(4)})
    site.crawl(folder, snapshots=2, settings=FEEDS)

    rows = rows_of(run, folder)

    every, standing = (rows["feed", "gazette.example/news.rss", key] for key in ("every", "standing"))
    assert (standing["value"], standing["set_by"]) == ("good", "updater")
    assert (every["set_by"], every["because"]) == ("updater", "its standing is good")
    assert every["value"] > 0


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


@pytest.mark.parametrize("value", [BY_PHASE, BY_FEEDS, BY_FAILURES, BY_USER, "default"])
def test_the_help_and_the_reference_name_all_that_sets_the_pace_of_a_section(run: Run, value: str) -> None:
    told = run("sections", "--help").out
    reference = (REPOSITORY / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")

    [explained] = [part for part in reference.split("\n- ") if part.startswith("`set_by`")]
    assert f"`{value}`" in told
    assert f"`{value}`" in explained


def test_a_section_that_was_not_visited_yet_has_the_default_pace(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "news"
    steady_site().crawl(folder, snapshots=1, settings=replace(ONCE, pace="adaptive"))

    rows = {row["key"]: row["set_by"] for row in run("sections", str(folder)).rows}

    assert rows[SPORT] == "default"


def test_status_and_why_show_the_phase(run: Run, archive: Path) -> None:
    [source, _] = run("status", str(archive)).rows
    assert source["phase"] == "exploitation"
    assert source["phase_evidence"]["evaluator"] == "quality"
    assert source["phase_because"].startswith("expected F1 of articles ")

    why = run("why", str(archive), "gazette.example", "-f", "text").out
    assert "event: phase on 2026-03-02" in why
    assert "its pace was set by user" in why
