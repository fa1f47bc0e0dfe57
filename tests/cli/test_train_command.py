"""`broadsheet train`: errors that are reported before any work starts, and the loop from annotations to a model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from tests.corpora import tiny

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pages", "data", "-o", "out", "--folds", "5"), "only applies to reading"),
        (("reading", "data", "-o", "out", "--folds", "1"), "at least 2"),
        (("reading", "data"), "-o/--out"),
        (("reading", "-o", "out"), "needs one folder DATA"),
        (("mine", "-o", "out", "--folds", "5"), "only applies to reading"),
    ],
)
def test_invalid_combinations_are_usage_errors(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("train", *arguments)

    assert outcome.code == exits.USAGE
    assert message in outcome.err


def test_a_folder_without_pages_is_reported_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    outcome = run("train", "reading", str(tmp_path), "-o", str(tmp_path / "out"))

    assert outcome.code == exits.FAILED
    assert "no folder pages/" in outcome.err
    assert not (tmp_path / "out").exists()


def test_a_corpus_that_is_not_there_is_named_with_the_models_that_are(run: Run, tmp_path: Path) -> None:
    outcome = run("train", tmp_path / "everything", "-o", tmp_path / "out")

    assert outcome.code == exits.FAILED
    assert "no such corpus" in outcome.err
    assert "all, urls, sites, visual, memory, pages, reading, facts" in outcome.err


def test_annotated_pages_become_a_model_that_extract_uses(run: Run, tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "mine", [tiny.row(name) for name in ("one", "two", "three", "four", "five")])
    model, page = tmp_path / "mine.npz", corpus / "html" / "one.html"
    run("corpus", "convert", corpus, "--to", "elements")

    outcome = run("train", corpus, "-o", model)

    assert outcome.code == exits.DONE, outcome.err
    assert "fine-tuning on 5 pages" in outcome.err
    extracted = run("extract", page, "--model", model)
    assert tiny.PARAGRAPHS[1] in extracted.rows[0]["article"]["body"]
    before = model.read_bytes()
    again = run("train", corpus, "-o", model)
    assert (again.code, model.read_bytes()) == (exits.FAILED, before)
    assert "already exists" in again.err


def test_memory_remembers_annotated_pages_and_extract_uses_its_model(run: Run, tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "mine", [tiny.row(name) for name in ("one", "two", "three", "four", "five")])
    model, page = tmp_path / "mine.npz", corpus / "html" / "one.html"
    run("corpus", "convert", corpus, "--to", "elements")

    outcome = run("train", corpus, "-o", model, "--reader", "memory")

    assert outcome.code == exits.DONE, outcome.err
    assert "remembering 5 pages" in outcome.err
    assert "F of held-out bodies" in outcome.err
    extracted = run("extract", page, "--model", model)
    assert extracted.rows[0]["article"]["evidence"]["title"] == "reader memory"
    assert tiny.PARAGRAPHS[1] in extracted.rows[0]["article"]["body"]


def test_four_annotated_pages_are_too_few_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "mine", [tiny.row(name) for name in ("one", "two", "three", "four")])
    run("corpus", "convert", corpus, "--to", "elements")

    outcome = run("train", corpus, "-o", tmp_path / "mine.npz")

    assert outcome.code == exits.FAILED
    assert "4 annotated pages with a body are too few: annotate at least 5" in outcome.err
    assert not (tmp_path / "mine.npz").exists()


def test_a_file_that_is_not_a_model_is_refused_before_any_page_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.npz").write_bytes(b"no model")

    outcome = run("extract", tmp_path / "page.html", "--model", tmp_path / "mine.npz")

    assert outcome.code == exits.FAILED
    assert "mine.npz: the model is damaged" in outcome.err
