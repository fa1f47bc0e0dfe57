"""The studies of the visual reader."""

import shutil
from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.experiments import visual_study, visual_time_study
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.visual_study import _visual_run
from broadsheet.experiments.visual_study._visual_scores import OURS, measure, systems
from tests.corpora import tiny


def context(folder: Path, pages: Path) -> Context:
    return Context(folder=folder, clock=SystemClock(), counters=Counters(), pages=pages)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [tiny.row("d1"), tiny.row("d2", domain="other.example"), tiny.row("t", split="train")]
    return tiny.folder(tmp_path, "harbour", rows)


def test_a_page_is_scored_for_what_is_labelled() -> None:
    _, row = measure(tiny.page(title=None))

    assert row["styled"] is False
    assert {name: row[name]["title"] for name in OURS} == dict.fromkeys(OURS)
    assert row["default"]["body"] > 0.7
    assert row["default"]["date"] == 1


def test_a_date_that_the_page_does_not_show_is_not_asked_for() -> None:
    _, row = measure(tiny.page(date="1999-01-01"))

    assert row["visual"]["date"] is None


def test_only_sites_that_were_not_trained_on_are_measured(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_visual_run, "MIN_PAGES", 1)

    results = visual_study.run(context(tmp_path / "out", corpus))

    overall, styles, languages, corpora = (table.to_dicts() for table in results.tables)
    assert {(row["field"], row["pages"]) for row in overall} == {("title", 2), ("date", 2), ("body", 2)}
    assert {row["system"] for row in overall} == set(systems())
    assert [row["style sheets"] for row in styles] == ["without style sheets"] * 3
    assert {row["language"] for row in languages} == {"en"}
    assert {row["corpus"] for row in corpora} == {"harbour"}


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_times_are_those_of_a_browser_and_of_both_readers(tmp_path: Path, corpus: Path) -> None:
    results = visual_time_study.run(context(tmp_path / "out", corpus))

    rows = results.tables[0].to_dicts()
    assert [row["way"] for row in rows if row["pages"] == "all"] == ["rendering browser", "visual", "default"]
    assert rows[0]["times faster than the browser"] == 1
