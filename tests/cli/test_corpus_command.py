"""`broadsheet corpus`: annotations are checked, described and converted; bad ones are named, nothing is replaced."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.cli import exits
from tests.cli.conftest import Outcome
from tests.corpora import tiny

Run = Callable[..., Outcome]


@pytest.fixture
def corpus(run: Run, tmp_path: Path) -> Path:
    folder = tiny.folder(tmp_path, "mine", [tiny.row("one"), tiny.row("two")])
    run("corpus", "convert", folder, "--to", "elements")
    return folder


def test_good_annotations_pass_the_check_and_are_described(run: Run, corpus: Path) -> None:
    checked = run("corpus", "check", corpus)
    described = run("corpus", "report", corpus)

    assert checked.code == exits.DONE
    assert checked.rows == [{"annotator": "main", "pages": 2, "damaged": 0}]
    assert {"tag": "t", "label": "title", "number": 2}.items() <= described.rows[0].items()


def test_a_check_of_pages_that_nobody_has_annotated_says_so(run: Run, tmp_path: Path) -> None:
    folder = tiny.folder(tmp_path, "bare", [tiny.row("one")])

    outcome = run("corpus", "check", folder)

    assert (outcome.code, outcome.out) == (exits.FAILED, "")
    assert outcome.err == f"broadsheet: {folder}: no page is annotated yet; see `broadsheet annotate`\n"


def test_annotations_that_do_not_fit_are_named_one_line_each(run: Run, corpus: Path) -> None:
    (corpus / "html" / "one.html").write_text(tiny.html(("Other text.",) * 3), encoding="utf-8")
    (corpus / "html" / "two.html").unlink()

    outcome = run("corpus", "check", corpus)

    assert outcome.code == exits.FAILED
    first, second = outcome.err.splitlines()
    assert "one.hra: line " in first
    assert "of the page is 'Other text.'" in first
    assert "two.html: the page is missing" in second


def test_annotations_that_exist_are_not_replaced_unless_asked(run: Run, corpus: Path, tmp_path: Path) -> None:
    path = corpus / "annotations" / "main" / "one.hra"
    changed = path.read_text("utf-8").replace("<h1> text t", "<h1> text g")
    path.write_text(changed, encoding="utf-8")

    kept = run("corpus", "convert", corpus, "--to", "elements")
    assert "annotated 0 pages as main; 2 that exist were kept" in kept.err
    assert path.read_text("utf-8") == changed
    run("corpus", "convert", corpus, "--to", "elements", "--overwrite")
    assert path.read_text("utf-8") != changed
    run("corpus", "convert", corpus, "--to", "labels", "-o", tmp_path / "rows.jsonl")
    again = run("corpus", "convert", corpus, "--to", "labels", "-o", tmp_path / "rows.jsonl")
    assert (again.code, "already exists" in again.err) == (exits.FAILED, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("convert",), "convert needs --to"), (("convert", "--to", "instances"), "needs -o, the folder")],
)
def test_what_is_missing_is_said(run: Run, corpus: Path, arguments: tuple[str, ...], message: str) -> None:
    what, *options = arguments
    outcome = run("corpus", what, corpus, *options)

    assert outcome.code == exits.USAGE
    assert message in outcome.err


def test_a_folder_without_a_corpus_is_named(run: Run, tmp_path: Path) -> None:
    outcome = run("corpus", "check", tmp_path)

    assert outcome.code == exits.FAILED
    assert "no corpus here" in outcome.err


def test_extract_checks_the_structure_of_articles(run: Run, tmp_path: Path) -> None:
    paragraphs = "".join(f"<h2>Part</h2><p>{text}</p>" for text in tiny.PARAGRAPHS)
    sound, odd = tmp_path / "sound.html", tmp_path / "odd.html"
    sound.write_text(f"<h1>Crane falls into the harbour</h1>{paragraphs}", encoding="utf-8")
    odd.write_text(f"<h1>Crane falls into the harbour</h1>{paragraphs}<h2>More</h2>{paragraphs}", encoding="utf-8")

    outcome = run("extract", sound, odd, "--check", "--force")

    assert [row["structure"] for row in outcome.rows] == [[], ["adjacent headings"]]
    assert "odd.html: adjacent headings" in outcome.err
    assert "structure" not in run("extract", sound, "--force").rows[0]
