import os
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap
from broadsheet.document import parse
from broadsheet.experiments import coreex_study
from broadsheet.experiments.coreex_study import _coreex_run
from broadsheet.experiments.coreex_study._grid import (
    PUBLISHED,
    SETTINGS,
    TUNED,
    GridMeasurements,
    GridOutcome,
    measure,
    readings,
)
from broadsheet.experiments.coreex_study._judged import JudgedPage, best_setting
from broadsheet.experiments.experiment import Context
from broadsheet.reading import read
from tests.corpora import tiny

WORKED = (
    "<body>Note:<p>A paragraph<a href=x>with a link</a>in it</p>"
    "<div><span>some<em>emphatic words</em>here.</span><span>More words</span></div></body>"
)


def context(folder: Path, pages: Path) -> Context:
    return Context(folder=folder, clock=SystemClock(), counters=Counters(), pages=pages)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [tiny.row(f"t{number}", split="train") for number in range(3)]
    rows += [tiny.row("d1"), tiny.row("d2"), tiny.row("d3", domain="other.example"), tiny.row("off", body_in_html=0.1)]
    return tiny.folder(tmp_path, "harbour", rows)


@pytest.mark.parametrize(("setting", "exact"), [(PUBLISHED, True), (TUNED, False)])
def test_the_grid_extracts_the_same_as_the_reader(setting: object, exact: bool) -> None:
    document = parse(tiny.html())

    found = list(readings(document))[SETTINGS.index(setting)]

    assert np.array_equal(found, np.isin(read(document, "coreex", exact=exact).labels, (4, 5)))


def test_the_grid_includes_the_published_constants_and_ours() -> None:
    assert {PUBLISHED, TUNED} <= set(SETTINGS)
    assert PUBLISHED.parameters.weight_ratio == 0.99
    assert len(list(readings(parse(WORKED)))) == len(SETTINGS)


def test_a_page_is_measured_by_words_and_by_nodes() -> None:
    page = tiny.page(
        markup="<body><p>One two three four five.</p><p>Six seven</p></body>", body="One two three four five."
    )

    measured = GridMeasurements.from_row(measure(page).row)

    place = SETTINGS.index(PUBLISHED)
    assert measured.words[place] == Overlap(5, 7, 5)
    assert measured.pieces[place] == Overlap(1, 2, 1)
    assert set(measured.times) == {"lxml", "document", "exact", "default"}


def test_figures_round_trip() -> None:
    row = measure(tiny.page()).row

    assert GridMeasurements.from_row(row).to_row() == row


def test_an_unusable_page_has_a_reason() -> None:
    outcome = measure(tiny.page(body_in_html=0.1))

    assert outcome == GridOutcome("tiny/one", {"left_out": "label and page disagree, by the corpus's own count"})


def test_the_best_setting_is_that_with_the_highest_mean() -> None:
    wanted = SETTINGS[17]
    overlaps = tuple(Overlap(9 if setting == wanted else 3, 10, 10) for setting in SETTINGS)
    pages = [JudgedPage(tiny.page().labels, GridMeasurements(overlaps, overlaps, {}))] * 2

    assert best_setting(pages, wanted.variant) == wanted


def test_the_experiment_reports_the_papers_figures_next_to_ours(tmp_path: Path, corpus: Path) -> None:
    seen = context(tmp_path / "out", corpus)

    found = coreex_study.run(seen)

    tables = {table.title: table for table in found.tables}
    words = tables["Precision and recall, word-weighted"].to_dicts()
    assert (words[0]["variant"], words[0]["P"], words[0]["R"]) == ("the paper", 0.97, 0.98)
    assert words[1]["pages"] == 3
    assert [row["corpus"] for row in tables["By corpus"].to_dicts()] == ["harbour"]
    assert {plot.name for plot in found.plots} == {"coreex-grid-exact", "coreex-grid-default", "coreex-corpora"}
    assert seen.counters.total("left out") == 1


def test_an_interrupted_experiment_resumes(tmp_path: Path, corpus: Path) -> None:
    folder = tmp_path / "out"
    whole = coreex_study.run(context(folder, corpus))
    journal = folder / "pages.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-2]) + lines[-2][:30])

    resumed = coreex_study.run(context(folder, corpus))

    again = journal.read_bytes().splitlines(keepends=True)
    assert (again[:-2], len(again)) == (lines[:-2], len(lines))
    titles = [table.title for table in whole.tables]
    assert [table.title for table in resumed.tables] == titles
    assert [table for table in resumed.tables if "Time" not in table.title] == [
        table for table in whole.tables if "Time" not in table.title
    ]


def test_a_page_that_changed_is_measured_again(tmp_path: Path, corpus: Path) -> None:
    coreex_study.run(context(tmp_path / "out", corpus))
    before = (tmp_path / "out" / "pages.jsonl").read_bytes().count(b"\n")
    (corpus / "html" / "d1.html").write_text(tiny.html() + "<p>More.</p>", encoding="utf-8")

    coreex_study.run(context(tmp_path / "out", corpus))

    assert (tmp_path / "out" / "pages.jsonl").read_bytes().count(b"\n") == before + 1


def test_pages_without_training_sites_are_still_evaluated(tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "harbour", [tiny.row("one")])

    found = coreex_study.run(context(tmp_path / "out", corpus))

    assert [plot.name for plot in found.plots] == ["coreex-corpora"]


def test_packed_pages_of_real_sites_can_be_used(shared_data: Path, tmp_path: Path) -> None:
    real = Context(
        folder=tmp_path, clock=SystemClock(), counters=Counters(), pages=shared_data / "pages" / "zyte_aeb.tar.xz",
        sample=2,
    )  # fmt: skip

    found = coreex_study.run(real)

    assert found.remarks[0].startswith("On labelled pages of real sites: constants chosen on 2 pages")


def fatal(page: LabelledPage) -> GridOutcome:
    if page.labels.name == "d1":
        os._exit(1)
    return measure(page)


def test_a_page_that_ends_its_process_is_counted_and_tried_again_next_time(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = context(tmp_path / "out", corpus)
    with monkeypatch.context() as patched:
        patched.setattr(_coreex_run, "measure", fatal)
        coreex_study.run(seen)
    rows = (tmp_path / "out" / "pages.jsonl").read_bytes().count(b"\n")

    coreex_study.run(context(tmp_path / "out", corpus))

    counted = [(each.reason, number) for each, number in seen.counters]
    assert ("measuring the page: the process died", 1) in counted
    assert (tmp_path / "out" / "pages.jsonl").read_bytes().count(b"\n") == rows + 1
