import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from broadsheet.base.provenance import Provenance
from broadsheet.cli import exits
from broadsheet.cli.commands import evaluate_command
from broadsheet.corpora import results, systems
from broadsheet.corpora.page_readers import Outcome, Task, _outcomes
from broadsheet.corpora.systems import load
from tests.corpora import tiny

Run = Callable[..., Any]


class InProcess:
    """Reads pages in the process of the test: starting another would take longer than everything else here."""

    def __init__(self, systems: Sequence[str], *_: object) -> None:
        self._systems = systems

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        systems = {name: load(name) for name in self._systems}
        for task in tasks:
            yield from _outcomes(task, systems)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_command, "ReaderPool", InProcess)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [tiny.row("one"), tiny.row("two", lang="de"), tiny.row("off", body_in_html=0.0), tiny.row("bare", body=None)]
    return tiny.folder(tmp_path, "harbour", rows)


def test_readers_are_measured_in_one_table(run: Run, corpus: Path) -> None:
    outcome = run("evaluate", corpus, "--reader", "coreex", "--reader", "coreex:exact", "--workers", 1)

    assert outcome.code == exits.DONE
    assert {(row["system"], row["pages"], row["failed"]) for row in outcome.rows} == {
        ("coreex", 2, 0), ("coreex:exact", 2, 0)
    }  # fmt: skip
    assert "left out: 1 (label and page disagree" in outcome.err
    assert "left out: 1 (no body is labelled)" in outcome.err


@pytest.mark.usefixtures("in_process")
def test_packed_corpora_give_the_same_figures(run: Run, corpus: Path) -> None:
    loose, dense = (
        run("evaluate", path, "--reader", "coreex", "--workers", 1).rows for path in (corpus, tiny.packed(corpus))
    )

    assert [{**row, "ms": None} for row in loose] == [{**row, "ms": None} for row in dense]


@pytest.mark.usefixtures("in_process")
def test_an_interrupted_run_can_be_resumed(run: Run, corpus: Path, tmp_path: Path) -> None:
    state = tmp_path / "run.jsonl"
    options = ("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--state", state)
    uninterrupted = run(*options).rows
    lines = state.read_text(encoding="utf-8").splitlines()
    state.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:50], encoding="utf-8")

    resumed = run(*options, "--resume")

    assert [{**row, "ms": None} for row in resumed.rows] == [{**row, "ms": None} for row in uninterrupted]
    assert len(state.read_text(encoding="utf-8").splitlines()) == len(lines)
    again = run(*options)
    assert (again.code, "already exists: pass --resume" in again.err) == (exits.FAILED, True)


@pytest.mark.usefixtures("in_process")
def test_results_of_a_reader_that_changed_are_measured_again_with_one_line(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "run.jsonl"
    options = ("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--state", state)
    run(*options)
    rows = state.read_bytes().count(b"\n")

    monkeypatch.setattr(systems, "_code_of_readers", lambda: "another")
    changed = run(*options, "--resume")
    monkeypatch.setattr(results, "provenance", lambda _: Provenance("another", "m", "c"))
    measured_anew = run(*options, "--resume")

    assert f"2 results in {state} come from other code or models and are measured again" in changed.err
    assert [row["version"].partition("+")[2] for row in changed.rows] == ["another"]
    assert f"{state} was measured with other code; all pages are measured again" in measured_anew.err
    assert state.read_bytes().count(b"\n") == rows


@pytest.mark.usefixtures("in_process")
def test_requested_files_are_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    report, figures = tmp_path / "report.html", tmp_path / "figures.json"

    outcome = run("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--html", report, "--json", figures)

    assert outcome.code == exits.DONE
    assert "harbour/one" in report.read_text(encoding="utf-8")
    content = json.loads(figures.read_text(encoding="utf-8"))
    assert set(content) == {
        "conditions",
        "made_with",
        "systems",
        "overview",
        "corpus",
        "era",
        "language",
        "leads",
        "site",
    }
    assert content["systems"]["coreex"]["pages"] == 2


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    # A user who may write everywhere, such as root, needs to be told that this folder is not writable.
    monkeypatch.setattr(os, "access", lambda path, *_: path != tmp_path / "closed")


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_command, "find_corpora", lambda _: pytest.fail("the corpora were opened"))


@pytest.mark.usefixtures("closed", "unread")
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--json", "{}/harbour/labels.jsonl"], "labels.jsonl already exists; use --overwrite to replace it"),
        (["--html", "{}/harbour/labels.jsonl"], "labels.jsonl already exists; use --overwrite to replace it"),
        (["--json", "{}"], "is a folder; name a file in it"),
        (["--json", "{}/nowhere/figures"], "there is no folder"),
        (["--html", "{}/closed/report"], "there is no permission to write to"),
        (["--fields", "--json", "{}/harbour/labels.jsonl"], "labels.jsonl already exists"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_pages_are_read(
    run: Run, corpus: Path, words: list[str], line: str
) -> None:
    before = (corpus / "labels.jsonl").read_bytes()

    outcome = run("evaluate", corpus, *(word.replace("{}", str(corpus.parent)) for word in words))

    assert (outcome.code, line in outcome.err) == (exits.USAGE, True)
    assert (corpus / "labels.jsonl").read_bytes() == before


@pytest.mark.usefixtures("in_process")
def test_files_are_replaced_on_request(run: Run, corpus: Path, tmp_path: Path) -> None:
    report, figures = tmp_path / "report.html", tmp_path / "figures.json"
    report.write_text("earlier")
    figures.write_text("earlier")
    files = ("--html", report, "--json", figures, "--overwrite")

    outcome = run("evaluate", corpus, "--reader", "coreex", "--workers", 1, *files)

    assert outcome.code == exits.DONE
    assert "harbour/one" in report.read_text(encoding="utf-8")
    assert json.loads(figures.read_text(encoding="utf-8"))["overview"]


@pytest.mark.usefixtures("in_process")
def test_leads_in_every_group_of_sites_are_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"

    run("evaluate", corpus, "--reader", "coreex", "--reader", "separator", "--workers", 1, "--json", figures)

    rows = json.loads(figures.read_text(encoding="utf-8"))["leads"]
    assert [(row["by"], row["group"], row["ahead_of"]) for row in rows] == [
        (by, group, "separator")
        for by, group in (
            ("", "all"), ("corpus", "harbour"), ("era", "2015 or later"), ("language", "de"), ("language", "en")
        )
    ]  # fmt: skip
    assert all(row["low"] <= row["lead"] <= row["high"] for row in rows)


def test_the_alignment_of_the_labels_is_shown(run: Run, corpus: Path) -> None:
    outcome = run("evaluate", corpus, "--alignment")

    assert [(row["corpus"], row["pages"], row["left_out"], row["covered"]) for row in outcome.rows] == [
        ("harbour", 2, 1, 1.0)
    ]


@pytest.mark.usefixtures("in_process")
def test_groups_are_shown_to_a_person(run: Run, corpus: Path) -> None:
    outcome = run("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--by", "language", terminal=True)

    assert "de" in outcome.out
    assert "language" in outcome.out


@pytest.mark.usefixtures("in_process")
def test_pages_are_grouped_in_several_ways_in_one_run(run: Run, corpus: Path) -> None:
    words = ("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--by", "era", "--by", "corpus")

    rows = run(*words).rows

    assert [(row.get("era"), row.get("corpus"), row["pages"]) for row in rows] == [
        (None, None, 2), ("2015 or later", None, 2), (None, "harbour", 2)
    ]  # fmt: skip


@pytest.mark.usefixtures("in_process")
def test_a_grouping_that_is_named_twice_is_shown_once(run: Run, corpus: Path) -> None:
    words = ("evaluate", corpus, "--reader", "coreex", "--workers", 1, "--by", "era", "--by", "corpus", "--by", "era")

    rows = run(*words).rows

    assert [(row.get("era"), row.get("corpus")) for row in rows] == [
        (None, None), ("2015 or later", None), (None, "harbour")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["missing"], exits.FAILED, "missing: no such corpus"),
        (["{}", "--reader", "nobody"], exits.FAILED, "no reader or peer is called 'nobody'"),
        (["{}", "--resume"], exits.USAGE, "--resume needs the --state FILE"),
        (["{}", "--split", "train"], exits.FAILED, "no page of this split and kind has a labelled body"),
        (["{}", "--sample", "0"], exits.USAGE, "'0' is not a whole number above 0"),
    ],
)
def test_an_invalid_request_is_reported_in_one_line(
    run: Run, corpus: Path, words: list[str], code: int, line: str
) -> None:
    outcome = run("evaluate", *(word.replace("{}", str(corpus)) for word in words))

    assert outcome.code == code
    assert line in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_the_help_groups_options_by_purpose(run: Run) -> None:
    lines = run("evaluate", "--help").out.splitlines()

    headings = ["what is read:", "what is compared:", "what is printed and written:", "how it runs:"]
    options = ["  --split {dev,train,all}", "  --peer NAME", "  --json FILE", "  --workers N"]
    shown = [line for line in lines if line in headings or line.startswith(tuple(options))]
    assert [line[: len(option)] for line, option in zip(shown[1::2], options, strict=True)] == options
    assert shown[::2] == headings


def test_fields_are_measured_in_a_separate_table(run: Run, corpus: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"

    outcome = run("evaluate", corpus, "--fields", "--split", "all", "--workers", 1, "--by", "corpus", "--json", figures)

    assert outcome.code == exits.DONE
    assert (outcome.rows[0]["system"], outcome.rows[0]["title"], outcome.rows[0]["title_pages"]) == (
        "broadsheet",
        1.0,
        4,
    )
    assert json.loads(figures.read_text())["corpus"][0]["corpus"] == "harbour"


def test_a_peer_without_fields_is_rejected(run: Run, corpus: Path) -> None:
    outcome = run("evaluate", corpus, "--fields", "--peer", "justext")

    assert outcome.code == exits.FAILED
    assert "extracts facts: choose from" in outcome.err


def test_fields_are_measured_without_a_reader(run: Run, tmp_path: Path) -> None:
    outcome = run("evaluate", tmp_path, "--fields", "--reader", "coreex")

    assert outcome.code == exits.USAGE
    assert "--fields cannot be combined with" in outcome.err
