import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from tests.corpora import tiny

Run = Callable[..., Any]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return tiny.folder(tmp_path, "harbour", [tiny.row("one"), tiny.row("two", split="train")])


def test_experiments_are_listed_with_what_they_measure(run: Run) -> None:
    outcome = run("experiment", "list")

    assert outcome.code == exits.DONE
    assert "coreex" in [row["name"] for row in outcome.rows]


def test_results_are_written_and_shown(run: Run, corpus: Path, tmp_path: Path) -> None:
    out, figures = tmp_path / "out", tmp_path / "figures.json"

    outcome = run("experiment", "coreex", "--pages", corpus, "-o", out, "--json", figures, "--workers", 1)

    assert outcome.code == exits.DONE
    assert {"results.json", "results.md", "pages.jsonl", "coreex-corpora.svg"} <= {path.name for path in out.iterdir()}
    assert json.loads(figures.read_text(encoding="utf-8"))["experiment"] == "coreex"
    assert outcome.rows[0]["table"] == "Precision and recall, word-weighted"


def test_a_person_sees_tables(run: Run, corpus: Path, tmp_path: Path) -> None:
    outcome = run(
        "experiment", "coreex", "--pages", corpus, "-o", tmp_path / "out", "--workers", 1, terminal=True
    )  # fmt: skip

    assert "as published" in outcome.out


def test_results_go_to_a_folder_named_after_the_experiment(
    run: Run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    run("experiment", "coreex", "--pages", corpus, "--workers", 1)

    assert (tmp_path / "experiment-coreex" / "results.md").is_file()


def test_without_pages_it_runs_on_generated_pages_and_says_so(run: Run, tmp_path: Path) -> None:
    outcome = run("experiment", "coreex", "-o", tmp_path / "out", "--sample", 2, "--workers", 1)

    assert outcome.code == exits.DONE
    assert "using pages of the simulated news web" in outcome.err


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["nothing"], exits.FAILED, "no experiment is called 'nothing': choose from coreex"),
        (["coreex", "--pages", "missing"], exits.FAILED, "missing: no such corpus"),
        (["coreex", "--sample", "0"], exits.USAGE, "'0' is not a whole number above 0"),
    ],
)
def test_an_invalid_request_is_reported_in_one_line(
    run: Run, tmp_path: Path, words: list[str], code: int, line: str
) -> None:
    outcome = run("experiment", *words, "-o", tmp_path / "out")

    assert outcome.code == code
    assert line in outcome.err
    assert len(outcome.err.splitlines()) == 1
