import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsweb.pages import make_pages

Run = Callable[..., Any]

PAGE = """<html lang="en"><head><title>Bridge reopens</title><meta name="author" content="Nora Pell">
<meta property="article:published_time" content="2026-03-02T07:15+02:00"></head><body><h1>Bridge reopens</h1>
<p>The harbour bridge was opened to all traffic on Monday.</p><p>It came three months late.</p></body></html>"""
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


def test_a_page_gives_a_line_of_json(run: Run, page: Path) -> None:
    outcome = run("extract", page)

    assert outcome.code == exits.DONE
    [row] = outcome.rows
    assert row["page"] == str(page)
    assert row["article"]["title"] == "Bridge reopens"
    assert row["article"]["authors"] == ["Nora Pell"]
    assert row["article"]["published"] == "2026-03-02T07:15:00+02:00"
    assert row["article"]["body"].endswith("on Monday.\n\nIt came three months late.")


def test_a_page_without_an_article_gives_a_row_with_null(run: Run, page: Path, empty: Path) -> None:
    outcome = run("extract", empty, page)

    assert outcome.code == exits.DONE
    assert outcome.rows[0] == {"page": str(empty), "article": None}
    assert outcome.rows[1]["article"]


def test_force_reads_it_all_the_same(run: Run, empty: Path) -> None:
    [row] = run("extract", empty, "--force").rows

    assert row["article"]["body"] == ""


def test_a_terminal_shows_a_table(run: Run, page: Path, empty: Path) -> None:
    lines = run("extract", page, empty, terminal=True).out.splitlines()

    assert lines[0].split() == ["page", "title", "authors", "published", "paragraphs"]
    assert "Bridge reopens" in lines[2]
    assert "2026-03-02T07:15+02:00" in lines[2]


def test_markdown_text_and_json_go_to_a_pipe_or_a_terminal(run: Run, page: Path, empty: Path) -> None:
    for terminal in (False, True):
        assert run("extract", page, empty, "-f", "md", terminal=terminal).out.startswith("# Bridge reopens\n")
        assert (
            run("extract", page, page, "-f", "text", terminal=terminal).out.count("It came three months late.\n") == 2
        )
        rows = json.loads(run("extract", page, empty, "-f", "json", terminal=terminal).out)
        assert [bool(row["article"]) for row in rows] == [True, False]
        assert json.loads(run("extract", page, "-f", "jsonl", terminal=terminal).out)["article"]["title"]


@pytest.mark.parametrize("name", ["out.jsonl", "out.json", "out.md", "out.txt"])
def test_the_name_of_the_file_tells_the_format(run: Run, page: Path, tmp_path: Path, name: str) -> None:
    asked = {".jsonl": "jsonl", ".json": "json", ".md": "md", ".txt": "text"}[Path(name).suffix]

    outcome = run("extract", page, "-o", tmp_path / name)

    assert outcome.code == exits.DONE
    assert outcome.out == ""
    assert (tmp_path / name).read_text() == run("extract", page, "-f", asked).out


def test_parquet_holds_the_same_rows(run: Run, page: Path, empty: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")

    run("extract", page, empty, "-o", tmp_path / "out.parquet")

    [article, nothing] = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    [expected, _] = run("extract", page, empty).rows
    assert nothing["article"] is None
    assert article["article"] | {"evidence": dict(article["article"]["evidence"])} == expected["article"]


def test_parquet_needs_a_file(run: Run, page: Path) -> None:
    outcome = run("extract", page, "-f", "parquet")

    assert outcome.code == exits.USAGE
    assert outcome.err == "broadsheet: Parquet is no text: name a file with -o\n"


def test_a_file_is_only_replaced_where_that_is_asked_for(run: Run, page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    out.write_text("mine")

    refused = run("extract", page, "-o", out)
    untouched = out.read_text()
    allowed = run("extract", page, "-o", out, "--overwrite")

    assert refused.code == exits.USAGE
    assert "is there already; --overwrite replaces it" in refused.err
    assert untouched == "mine"
    assert allowed.code == exits.DONE
    assert out.read_text().startswith("# Bridge reopens")


def test_nothing_is_left_behind_where_no_page_could_be_read(run: Run, tmp_path: Path) -> None:
    outcome = run("extract", tmp_path / "missing.html", "-o", tmp_path / "out.jsonl")

    assert outcome.code == exits.FAILED
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_a_clear_error(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("extract", page, "-o", tmp_path / "no" / "out.jsonl")

    assert outcome.code == exits.FAILED
    assert outcome.err.count("\n") == 1
    assert "cannot be written" in outcome.err


def test_a_page_that_fails_is_named_and_the_others_go_on(run: Run, page: Path, tmp_path: Path) -> None:
    binary = tmp_path / "picture.html"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))

    outcome = run("extract", binary, page)

    assert outcome.code == exits.SOME_FAILED
    assert len(outcome.rows) == 1
    assert outcome.err.startswith(f"broadsheet: {binary}: ")


def test_an_unknown_reader_is_one_clear_line(run: Run, page: Path) -> None:
    outcome = run("extract", page, "--reader", "corex")

    assert outcome.code == exits.FAILED
    assert outcome.err.startswith("broadsheet: no reader is called 'corex'; there are coreex, ")


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
@pytest.mark.parametrize("options", [(), ("--exact",)])
def test_every_reader_can_be_asked_for(run: Run, tmp_path: Path, reader: str, options: tuple[str, ...]) -> None:
    for made in make_pages(1):
        (tmp_path / made.name).write_bytes(made.content)

    outcome = run("extract", tmp_path, "--reader", reader, *options)

    assert outcome.code == exits.DONE
    assert len(outcome.rows) == 6


def test_standard_input_and_an_address(run: Run) -> None:
    [row] = run("extract", "-", "--url", "https://courier.example/a", stdin=PAGE.encode()).rows

    assert row["article"]["url"] == "https://courier.example/a"


def test_one_address_is_for_one_page(run: Run, page: Path) -> None:
    outcome = run("extract", page, page, "--url", "https://courier.example/a")

    assert outcome.code == exits.USAGE
