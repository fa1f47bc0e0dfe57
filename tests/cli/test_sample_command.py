from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.cli.text_table import width
from broadsheet.newsweb.sample_pages import make_pages

Run = Callable[..., Any]


def test_a_person_gets_a_report_on_every_page_that_fits_the_terminal(run: Run) -> None:
    outcome = run("sample", terminal=True)

    assert outcome.code == exits.DONE
    assert all(f"{page.name}, generated as: {page.kind}" in outcome.out for page in make_pages(1))
    assert max(map(width, outcome.out.splitlines())) <= 100
    assert "What to type next:" in outcome.out


def test_the_suggested_commands_work_as_printed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    out = run("sample", terminal=True, called=".venv/bin/broadsheet").out

    advice = out.partition("What to type next:\n")[2].splitlines()
    assert advice[0].split("  ")[1] == ".venv/bin/broadsheet sample --out pages"
    assert all(line.startswith("  .venv/bin/broadsheet ") for line in advice)
    with_saved_pages = run("sample", "--out", "my pages", terminal=True).out
    assert "  broadsheet parse 'my pages'" in with_saved_pages
    assert "sample --out" not in with_saved_pages


def test_the_report_shows_how_each_page_was_decoded(run: Run) -> None:
    out = run("sample", terminal=True).out

    assert "bytes of windows-1253 (from: meta)" in out
    assert "bytes of shift_jis (from: detection)" in out


def test_a_pipe_gets_one_row_per_page(run: Run) -> None:
    outcome = run("sample")

    assert [(row["page"], row["made_as"]) for row in outcome.rows] == [(page.name, page.kind) for page in make_pages(1)]
    home = outcome.rows[0]
    bar = next(collection for collection in home["link_collections"] if collection["links"] == 6)
    assert bar["items"] == ["Home", "Harbour", "Town", "Culture", "Ελληνικά", "日本語"]


def test_articles_are_read_as_they_were_written(run: Run) -> None:
    rows = {row["page"]: row for row in run("sample").rows}

    stories = {page.name: page.story for page in make_pages(1) if page.story}
    assert len(stories) == 3
    for name, story in stories.items():
        stated = {(entry["field"], entry["value"]) for entry in rows[name]["metadata"]}
        assert {("titles", story.headline), ("authors", story.author)} <= stated


def test_the_seed_determines_the_pages(run: Run) -> None:
    assert run("sample", "--seed", 7).out == run("sample", "--seed", 7).out
    assert run("sample", "--seed", 7).out != run("sample", "--seed", 8).out


def test_nothing_is_written_by_default(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    run("sample")

    assert list(tmp_path.iterdir()) == []


def test_the_pages_can_be_saved_repeatedly(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pages"

    first, second = run("sample", "--out", folder), run("sample", "--out", folder)

    assert (first.code, second.code) == (exits.DONE, exits.DONE)
    assert first.err == f"broadsheet: wrote 6 pages to {folder}\n"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        page.name: page.content for page in make_pages(1)
    }


def test_pages_that_are_saved_are_listed_without_reports(run: Run, tmp_path: Path) -> None:
    out = run("sample", "--out", tmp_path, terminal=True).out

    heading, _, first, *_ = out.splitlines()
    assert heading.split() == ["page", "made", "as", "title"]
    assert first.startswith("home.html")
    assert "generated as" not in out
    assert len(out.splitlines()) < 20


def test_other_files_in_the_folder_are_not_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "home.html").write_text("mine", encoding="utf-8")

    outcome = run("sample", "--out", tmp_path)

    assert outcome.code == exits.FAILED
    assert "home.html already exists" in outcome.err
    assert (tmp_path / "home.html").read_text(encoding="utf-8") == "mine"


def test_a_seed_that_is_not_a_number_is_refused(run: Run) -> None:
    outcome = run("sample", "--seed", "seven")

    assert outcome.code == exits.USAGE
    assert "argument --seed: 'seven' is not a whole number" in outcome.err


def test_a_file_in_place_of_the_folder_is_reported_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    outcome = run("sample", "--out", tmp_path / "file")

    assert (outcome.code, outcome.err) == (exits.FAILED, f"broadsheet: {tmp_path}/file is a file; name a folder\n")
