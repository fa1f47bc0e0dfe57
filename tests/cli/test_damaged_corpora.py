"""Annotations and models that are damaged: one clear line each, and nothing is overwritten."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from broadsheet.cli import exits
from broadsheet.models.arrays import from_text, pack
from broadsheet.reading.memory_reader import SHIPPED, load_models
from broadsheet.reading.reader_files import memory_bytes
from tests.corpora import tiny

Run = Callable[..., Any]
NAMES = ("one", "two", "three", "four", "five")


@pytest.fixture
def annotated(run: Run, tmp_path: Path) -> Path:
    """Return a corpus of five annotated pages."""
    corpus = tiny.folder(tmp_path, "mine", [tiny.row(name) for name in NAMES])
    run("corpus", "convert", corpus, "--to", "elements")
    return corpus


def cut(corpus: Path) -> None:
    path = corpus / "annotations" / "main" / "two.hra"
    path.write_bytes(path.read_bytes()[:-20])


def relabel(corpus: Path) -> None:
    path = corpus / "annotations" / "main" / "two.hra"
    path.write_text(path.read_text("utf-8").replace("> text b", "> text x", 1), encoding="utf-8")


def change_page(corpus: Path) -> None:
    path = corpus / "html" / "two.html"
    path.write_text(path.read_text("utf-8").replace("<p>", "<div>"), encoding="utf-8")


def remove_page(corpus: Path) -> None:
    (corpus / "html" / "two.html").unlink()


DAMAGES = [
    (cut, r"two.hra: the file ends within an entry"),
    (relabel, r"two.hra: line "),
    (change_page, r"two.hra: line "),
    (remove_page, r"two.html: the page is missing"),
]


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
@pytest.mark.parametrize("command", ["train", "check"])
def test_a_damaged_corpus_is_named_in_one_line_and_stays_as_it_is(
    run: Run, annotated: Path, command: str, damage: Callable[[Path], None], message: str
) -> None:
    damage(annotated)
    before = files(annotated.parent)

    outcome = run("corpus", "check", annotated) if command == "check" else run("train", annotated, "-o", "mine.npz")

    assert outcome.code == (exits.SOME_FAILED if command == "check" else exits.FAILED)
    assert [message in line for line in outcome.err.splitlines()] == [True]
    assert files(annotated.parent) == before


def test_a_model_that_is_cut_short_or_of_another_version_is_named_in_one_line(run: Run, annotated: Path) -> None:
    sound = memory_bytes(load_models(SHIPPED))
    other_version = pack({"reader": from_text("memory"), "reader-format": np.array(99, "<i4")})
    model = annotated / "mine.npz"

    for content, message in ((sound[:50_000], "the model is damaged"), (other_version, "the model's format is not 1")):
        model.write_bytes(content)
        outcome = run("extract", annotated / "html" / "one.html", "--model", model)

        assert outcome.code == exits.FAILED
        assert [line for line in outcome.err.splitlines() if "mine.npz" in line and message in line]
        assert len(outcome.err.splitlines()) == 1
        assert model.read_bytes() == content
