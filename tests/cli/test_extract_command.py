import csv
import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsweb.sample_pages import make_pages
from broadsheet.outputs.formats import SUFFIXES
from broadsheet.pages.extraction import MIN_PROBABILITY

Run = Callable[..., Any]

SENTENCE = "The harbour bridge was opened to all traffic on Monday, three months later than the city had planned. "
#: Paragraphs that differ, because repeated ones are read once.
PARAGRAPHS = "".join(
    f"<p>{SENTENCE.replace('Monday', name) * 3}</p>"
    for name in ("Monday", "Tuesday", "time", "a whim", "a Sunday", "purpose", "demand", "the spot")
)
PAGE = f"""<html lang="en"><head><title>Bridge reopens after repairs</title><meta name="author" content="Nora Pell">
<meta property="og:type" content="article">
<meta property="article:published_time" content="2026-03-02T07:15+02:00"></head><body>
<nav><a href="/">Home</a> <a href="/city/">City</a></nav><h1>Bridge reopens after repairs</h1>
{PARAGRAPHS}<p>It came three months late, and nobody on the quay seemed to mind that very much.</p>
</body></html>"""
LINK = "<li><h2><a href='/city/{0}'>Bridge number {0} is opened to all traffic</a></h2></li>"
LISTED = "".join(map(LINK.format, range(40)))
SECTION = f"<html><head><title>City</title></head><body><h1>City</h1><ul>{LISTED}</ul></body></html>"
EMPTY = "<html><body><img src=x></body></html>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "empty.html"
    path.write_text(EMPTY)
    return path


@pytest.fixture
def section(tmp_path: Path) -> Path:
    path = tmp_path / "section.html"
    path.write_text(SECTION)
    return path


def test_a_page_gives_a_line_of_json(run: Run, page: Path) -> None:
    outcome = run("extract", page)

    assert outcome.code == exits.DONE
    [row] = outcome.rows
    assert row["page"] == str(page)
    assert row["article"]["title"] == "Bridge reopens after repairs"
    assert row["article"]["authors"] == ["Nora Pell"]
    assert row["article"]["published"] == "2026-03-02T07:15:00+02:00"
    assert row["article"]["body"].count("\n\n") == 8
    assert row["article"]["body"].endswith("seemed to mind that very much.")
    assert row["verdict"]["probabilities"]["article"] > MIN_PROBABILITY
    assert row["article"]["verdict"] == row["verdict"]


def test_a_page_without_an_article_gives_a_row_with_its_verdict_and_null(run: Run, page: Path, section: Path) -> None:
    outcome = run("extract", section, page)

    assert outcome.code == exits.DONE
    row = outcome.rows[0]
    assert (row["page"], row["article"]) == (str(section), None)
    assert (row["verdict"]["kind"], bool(row["verdict"]["reasons"])) == ("section", True)
    assert outcome.rows[1]["article"]


def test_force_extracts_it_anyway(run: Run, empty: Path, section: Path) -> None:
    nothing, links = run("extract", empty, section, "--force").rows

    assert nothing["article"]["body"] == ""
    assert links["verdict"]["kind"] == "section"
    assert links["article"]["title"] == "City"


def test_a_terminal_shows_a_table_with_the_verdict_on_pages_without_articles(
    run: Run, page: Path, section: Path
) -> None:
    lines = run("extract", page, section, terminal=True).out.splitlines()

    assert lines[0].split() == ["page", "title", "authors", "published", "paragraphs"]
    assert "Bridge reopens" in lines[2]
    assert "2026-03-02T07:15+02:00" in lines[2]
    assert "  section (0." in lines[3]
    assert len(lines) == 4


def test_markdown_text_and_json_go_to_a_pipe_or_a_terminal(run: Run, page: Path) -> None:
    for terminal in (False, True):
        assert run("extract", page, "-f", "md", terminal=terminal).out.startswith("# Bridge reopens after repairs\n")
        assert run("extract", page, "-f", "text", terminal=terminal).out.endswith("mind that very much.\n")
        [row] = json.loads(run("extract", page, "-f", "json", terminal=terminal).out)
        assert row["article"]["title"]
        assert json.loads(run("extract", page, "-f", "jsonl", terminal=terminal).out)["article"]["title"]


def test_several_articles_are_separated(run: Run, page: Path) -> None:
    assert run("extract", page, page, "-f", "md").out.count("\n---\n\n# Bridge reopens") == 1
    assert run("extract", page, page, "-f", "text").out.count("mind that very much.\n") == 2


def test_pages_that_a_format_cannot_represent_are_reported(run: Run, page: Path, section: Path) -> None:
    outcome = run("extract", section, page, "-f", "md")

    assert outcome.out.startswith("# Bridge reopens")
    reported, hint = outcome.err.splitlines()
    assert reported.startswith(f"broadsheet: {section}: section (0.")
    assert hint == "broadsheet: --force extracts from pages that are not articles, too"
    assert outcome.code == exits.DONE


@pytest.mark.parametrize("name", ["out.jsonl", "out.json", "out.md", "out.txt", "out.csv", "out.xml"])
def test_the_file_name_implies_the_format(run: Run, page: Path, tmp_path: Path, name: str) -> None:
    asked = SUFFIXES[Path(name).suffix]

    outcome = run("extract", page, "-o", tmp_path / name)

    assert outcome.code == exits.DONE
    assert outcome.out == ""
    assert (tmp_path / name).read_text() == run("extract", page, "-f", asked).out


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("out.csv", "wrote 2 pages to out.csv: 1 with an article"),
        ("out.md", "wrote 1 article to out.md"),
    ],
)
def test_what_was_written_is_said_at_the_end(  # noqa: PLR0913, PLR0917 - fixtures
    run: Run, page: Path, section: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, summary: str
) -> None:
    monkeypatch.chdir(tmp_path)

    outcome = run("extract", page, section, "-o", name)

    assert outcome.err.splitlines()[-1] == f"broadsheet: {summary}"


def test_csv_and_parquet_have_one_flat_row_per_page(run: Run, page: Path, section: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")

    run("extract", page, section, "-o", tmp_path / "out.parquet")
    run("extract", page, section, "-o", tmp_path / "out.csv")

    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [list(row) for row in cells] == [list(row) for row in table]
    assert (cells[0]["published"], cells[0]["published_day"]) == ("2026-03-02T07:15:00+02:00", "2026-03-02")
    assert table[0]["published"] == datetime(2026, 3, 2, 5, 15, tzinfo=UTC)
    assert (cells[0]["authors"], table[0]["authors"]) == ("Nora Pell", ["Nora Pell"])
    assert [row["file"] for row in cells] == [str(page), str(section)]
    assert (cells[1]["kind"], cells[1]["title"], table[1]["title"]) == ("section", "", None)


def test_csv_goes_to_a_pipe_or_a_terminal(run: Run, page: Path) -> None:
    piped, shown = run("extract", page, "-f", "csv"), run("extract", page, "-f", "csv", terminal=True)

    assert piped.out == shown.out
    assert piped.out.startswith("url,canonical_url,kind,probability,title,authors,published,published_day,")


def test_raw_cells_are_for_csv(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE.replace("Bridge reopens after repairs", "=1+1 bridges reopen after repairs"))

    titles = [
        next(csv.DictReader(io.StringIO(run("extract", path, "-f", "csv", *option).out)))["title"]
        for option in ((), ("--raw-cells",))
    ]

    assert titles == ["'=1+1 bridges reopen after repairs", "=1+1 bridges reopen after repairs"]
    refused = run("extract", path, "--raw-cells")
    assert (refused.code, "--raw-cells only applies to CSV" in refused.err) == (exits.USAGE, True)


def test_parquet_without_its_packages_fails_before_any_page_is_read(
    run: Run, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    outcome = run("extract", page, "-o", tmp_path / "out.parquet")
    others = [run("extract", page, "-f", form) for form in ("csv", "json", "md", "text", "tei")]

    assert outcome.code == exits.FAILED
    assert "Parquet needs pyarrow" in outcome.err
    assert "pip install 'broadsheet[crawl]'" in outcome.err
    assert {other.code for other in others} == {exits.DONE}


def test_a_format_that_contradicts_the_file_name_is_rejected_in_one_line(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "-f", "md", "-o", tmp_path / "out.csv")

    assert outcome.code == exits.USAGE
    assert outcome.err.count("\n") == 1
    assert "ends in .csv, which means csv, but md was asked for" in outcome.err
    assert sorted(tmp_path.iterdir()) == [page]


def test_parquet_needs_a_file(run: Run, page: Path) -> None:
    outcome = run("extract", page, "-f", "parquet")

    assert outcome.code == exits.USAGE
    assert outcome.err == "broadsheet: Parquet is a binary format; write it to a file with -o\n"


def test_a_file_is_replaced_only_with_overwrite(run: Run, page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    out.write_text("mine")

    refused = run("extract", page, "-o", out)
    untouched = out.read_text()
    allowed = run("extract", page, "-o", out, "--overwrite")

    assert refused.code == exits.USAGE
    assert "already exists; use --overwrite to replace it" in refused.err
    assert untouched == "mine"
    assert allowed.code == exits.DONE
    assert out.read_text().startswith("# Bridge reopens")


def test_no_file_is_written_if_no_page_could_be_read(run: Run, tmp_path: Path) -> None:
    outcome = run("extract", tmp_path / "missing.html", "-o", tmp_path / "out.jsonl")

    assert outcome.code == exits.FAILED
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_an_error_before_any_page_is_read(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "-o", tmp_path / "no" / "out.jsonl")

    assert outcome.code == exits.USAGE
    assert outcome.err.startswith(
        f"broadsheet: {tmp_path}/no/out.jsonl cannot be written: there is no folder {tmp_path}/no"
    )


def test_a_folder_in_place_of_the_file_is_named_as_such(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "-o", tmp_path)

    assert outcome.code == exits.USAGE
    assert outcome.err.startswith(f"broadsheet: {tmp_path} is a folder; name a file in it")


def test_a_failing_page_is_reported_and_the_others_continue(run: Run, page: Path, tmp_path: Path) -> None:
    binary = tmp_path / "picture.html"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))

    outcome = run("extract", binary, page)

    assert outcome.code == exits.SOME_FAILED
    assert len(outcome.rows) == 1
    assert outcome.err.startswith(f"broadsheet: {binary}: ")


def test_an_unknown_reader_is_one_clear_line(run: Run, page: Path) -> None:
    outcome = run("extract", page, "--reader", "corex")

    assert outcome.code == exits.FAILED
    assert outcome.err.startswith("broadsheet: there is no reader 'corex'; choose one of default, coreex, ")


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
@pytest.mark.parametrize("options", [(), ("--exact",)])
def test_every_reader_can_be_asked_for(run: Run, tmp_path: Path, reader: str, options: tuple[str, ...]) -> None:
    for made in make_pages(1):
        (tmp_path / made.name).write_bytes(made.content)

    outcome = run("extract", tmp_path, "--reader", reader, *options)

    assert outcome.code == exits.DONE
    assert len(outcome.rows) == 6


def test_a_site_profile_is_used(run: Run, tmp_path: Path) -> None:
    for made in make_pages(1):
        if "article" in made.name:
            (tmp_path / made.name).write_bytes(made.content)
    pages = sorted(tmp_path.iterdir())
    learned = run("profile", *pages, "-o", tmp_path / "site.json")

    [row] = run("extract", pages[0], "--profile", tmp_path / "site.json").rows

    assert learned.code == exits.DONE
    assert row["article"]["body"]


def test_a_missing_profile_is_one_clear_line(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "--profile", tmp_path / "none.json")

    assert outcome.code == exits.FAILED
    assert outcome.err == f"broadsheet: {tmp_path}/none.json: cannot be read: No such file or directory\n"


def test_standard_input_and_an_address(run: Run) -> None:
    [row] = run("extract", "-", "--url", "https://courier.example/a", stdin=PAGE.encode()).rows

    assert row["article"]["url"] == "https://courier.example/a"


def test_url_is_rejected_for_several_pages(run: Run, page: Path) -> None:
    outcome = run("extract", page, page, "--url", "https://courier.example/a")

    assert outcome.code == exits.USAGE


def test_a_file_name_without_a_known_format_is_rejected(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "-o", tmp_path / "out.xlsx")

    assert outcome.code == exits.USAGE
    assert "name the format with -f" in outcome.err
