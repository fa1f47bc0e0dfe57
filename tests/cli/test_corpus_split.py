"""`broadsheet corpus split`: pages to learn from and pages to test on, and what a model has gained on those."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.cli import exits
from tests.cli.conftest import Outcome
from tests.corpora import tiny

Run = Callable[..., Outcome]
SITES = ("courier.example", "herald.example", "echo.example")


@pytest.fixture
def corpus(run: Run, tmp_path: Path) -> Path:
    """Return a corpus of nine annotated pages, three of each site."""
    rows = [tiny.row(f"{site[0]}{number}", domain=site, split=None) for site in SITES for number in range(3)]
    folder = tiny.folder(tmp_path, "mine", rows)
    run("corpus", "convert", folder, "--to", "elements")
    return folder


def rows_of(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]


def test_every_page_is_on_one_side_with_its_annotations(run: Run, corpus: Path, tmp_path: Path) -> None:
    outcome = run("corpus", "split", corpus, "--share", 0.33, "-o", tmp_path / "parts")

    learned, tested = (rows_of(tmp_path / "parts" / side) for side in ("learn", "test"))
    assert outcome.code == exits.DONE
    assert "6 pages to learn from, 3 to test on" in outcome.err
    assert {row["id"] for row in learned} | {row["id"] for row in tested} == {row["id"] for row in rows_of(corpus)}
    assert (len(learned), len(tested)) == (6, 3)
    assert {row["split"] for row in learned} | {row["split"] for row in tested} == {"train", "dev"}
    for side in ("learn", "test"):
        assert run("corpus", "check", tmp_path / "parts" / side).code == exits.DONE


def test_by_site_no_site_is_on_both_sides(run: Run, corpus: Path, tmp_path: Path) -> None:
    run("corpus", "split", corpus, "--by", "site", "-o", tmp_path / "parts")

    learned, tested = ({row["domain"] for row in rows_of(tmp_path / "parts" / side)} for side in ("learn", "test"))
    assert learned | tested == set(SITES)
    assert not learned & tested


def test_each_site_is_left_out_once(run: Run, corpus: Path, tmp_path: Path) -> None:
    run("corpus", "split", corpus, "--by", "each-site", "-o", tmp_path / "parts")

    for site in SITES:
        part = tmp_path / "parts" / site
        assert {row["domain"] for row in rows_of(part / "test")} == {site}
        assert {row["domain"] for row in rows_of(part / "learn")} == {*SITES} - {site}


def test_a_corpus_with_labels_of_its_own_keeps_them(run: Run, tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "prices", [tiny.row(name) for name in ("one", "two")])
    (corpus / "label-set.toml").write_text('rest = "g"\n[labels]\ng = "garbage"\nb = "price"\n')
    run("corpus", "convert", tiny.folder(tmp_path, "plain", [tiny.row("one"), tiny.row("two")]), "--to", "elements")
    for path in (tmp_path / "plain" / "annotations" / "main").iterdir():
        content = path.read_text("utf-8")
        for letter in "thda":
            content = content.replace(f" text {letter}", " text g").replace(f" tail {letter}", " tail g")
        (corpus / "annotations" / "main").mkdir(parents=True, exist_ok=True)
        (corpus / "annotations" / "main" / path.name).write_text(content, encoding="utf-8")

    outcome = run("corpus", "split", corpus, "--share", 0.5, "-o", tmp_path / "parts")

    assert outcome.code == exits.DONE, outcome.err
    assert run("corpus", "check", tmp_path / "parts" / "test").code == exits.DONE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("mine",), "already exists"),
        (("parts", "--share", "0.05"), "too few pages to divide"),
        (("parts", "--share", "0.1", "--by", "site"), "too few sites to divide"),
    ],
)
def test_what_cannot_be_divided_is_said_and_nothing_is_written(
    run: Run, corpus: Path, options: tuple[str, ...], message: str
) -> None:
    name, *rest = options
    before = sorted(corpus.parent.rglob("*"))

    outcome = run("corpus", "split", corpus, "-o", corpus.parent / name, *rest)

    assert outcome.code == exits.FAILED
    assert message in outcome.err
    assert sorted(corpus.parent.rglob("*")) == before


def test_a_damaged_page_is_named_before_anything_is_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    (corpus / "html" / "h1.html").unlink()

    outcome = run("corpus", "split", corpus, "-o", tmp_path / "parts")

    assert (outcome.code, outcome.err.count("\n")) == (exits.FAILED, 1)
    assert "h1.html: the page is missing" in outcome.err
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("share", ["0", "1", "-0.1", "half", "nan"])
def test_a_share_that_is_not_between_0_and_1_is_refused(run: Run, corpus: Path, tmp_path: Path, share: str) -> None:
    outcome = run("corpus", "split", corpus, f"--share={share}", "-o", tmp_path / "parts")

    assert outcome.code == exits.USAGE
    assert "is not a number between 0 and 1" in outcome.err


def test_a_model_is_measured_on_pages_that_it_has_not_learned_from(run: Run, corpus: Path, tmp_path: Path) -> None:
    parts, model = tmp_path / "parts", tmp_path / "mine.npz"
    run("corpus", "split", corpus, "-o", parts)
    run("train", parts / "learn", "-o", model, "--reader", "memory")

    outcome = run("evaluate", parts / "test", "--model", model, "--workers", 1)

    assert outcome.code == exits.DONE, outcome.err
    assert [(row["system"], row["pages"]) for row in outcome.rows] == [(f"model@{model}", 2)]


def test_a_model_that_is_cut_short_is_named_before_any_page_is_read(run: Run, corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "mine.npz"
    model.write_bytes(b"PK")

    outcome = run("evaluate", corpus, "--model", model, "--split", "all")

    assert (outcome.code, outcome.err.count("\n")) == (exits.FAILED, 1)
    assert "mine.npz: the model is damaged" in outcome.err
