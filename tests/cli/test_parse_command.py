from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsweb.sample_pages import make_pages

Run = Callable[..., Any]

PAGE = b"""<html lang="en"><head><title>A  small
page</title><meta name="author" content="Nora Pell"></head>
<body><ul><li><a href="/one">One</a><li><a href="two?utm_source=x">Two</a></ul>
<p>Three words here.</body></html>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for page in make_pages(1):
        (tmp_path / page.name).write_bytes(page.content)
    return tmp_path


def test_a_page_gives_one_row(run: Run, page: Path) -> None:
    outcome = run("parse", page)

    assert outcome.code == exits.DONE
    [row] = outcome.rows
    assert row == {
        "page": str(page),
        "encoding": "utf-8",
        "title": "A small page",
        "language": "en",
        "nodes": 11,
        "pieces": 4,
        "words": 8,
        "links": 2,
        "collections": 1,
    }


def test_a_folder_gives_one_row_per_page(run: Run, folder: Path) -> None:
    outcome = run("parse", folder)

    assert outcome.code == exits.DONE
    assert {Path(row["page"]).name: (row["encoding"], row["language"]) for row in outcome.rows} == {
        "article-el.html": ("windows-1253", "el"),
        "article-en.html": ("utf-8", "en"),
        "article-ja.html": ("shift_jis", "ja"),
        "home.html": ("utf-8", "en"),
        "legal.html": ("utf-8", "en"),
        "section.html": ("utf-8", "en"),
    }


def test_pages_with_long_names_stay_distinguishable(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_bytes(PAGE)

    lines = run("parse", folder, terminal=True).out.splitlines()
    headings = run("parse", folder, "--pieces", terminal=True).out.splitlines()

    assert [line.split("  ")[0][-6:] for line in lines[2:]] == ["0.html", "1.html", "2.html"]
    assert [line[-6:] for line in headings if line.startswith("…")] == ["0.html", "1.html", "2.html"]


def test_a_terminal_shows_a_table_that_fits(run: Run, folder: Path) -> None:
    outcome = run("parse", folder, terminal=True)

    lines = outcome.out.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("page ")
    assert max(map(len, lines)) <= 100


def test_standard_input_is_a_page(run: Run) -> None:
    [row] = run("parse", "-", stdin=PAGE).rows

    assert (row["page"], row["title"]) == ("-", "A small page")


def test_links_are_shown_with_target_and_position(run: Run, page: Path) -> None:
    rows = run("parse", page, "--links", "--url", "https://www.news.example/a/").rows

    assert [(row["anchor"], row["url"], row["collection"], row["position"]) for row in rows] == [
        ("One", "https://www.news.example/one", 0, 0),
        ("Two", "https://www.news.example/a/two?utm_source=x", 0, 1),
    ]
    assert rows[1]["href"] == "two?utm_source=x"
    assert rows[1]["key"] == "news.example/a/two"
    assert rows[1]["domain"] == "news.example"
    assert rows[1]["path"] == "/html/body/ul/li[2]/a"
    assert rows[1]["generalised_path"] == "/html/body/ul/li/a"


def test_without_an_address_links_are_shown_as_written(run: Run, page: Path) -> None:
    outcome = run("parse", page, "--links", terminal=True)

    header = outcome.out.splitlines()[1]
    assert header.split() == ["collection", "position", "anchor", "href"]
    assert "two?utm_source=x" in outcome.out


def test_metadata_is_shown_with_its_source(run: Run, page: Path) -> None:
    rows = run("parse", page, "--metadata").rows

    [author] = [row for row in rows if row["field"] == "authors"]
    assert author["value"] == "Nora Pell"
    assert "author" in author["source"]


def test_metadata_of_every_kind_is_shown(run: Run, folder: Path) -> None:
    rows = run("parse", folder / "article-en.html", "--metadata").rows

    fields = {row["field"] for row in rows}
    assert {"titles", "published", "authors", "times", "breadcrumbs", "canonical", "languages"} <= fields


def test_pieces_are_shown_with_text_and_position(run: Run, page: Path) -> None:
    rows = run("parse", page, "--pieces").rows

    assert [(row["text"], row["block"], row["link"], row["words"]) for row in rows] == [
        ("A small page", "title", False, 3),
        ("One", "li", True, 1),
        ("Two", "li", True, 1),
        ("Three words here.", "p", False, 3),
    ]


def test_each_page_has_its_table_under_its_name(run: Run, page: Path) -> None:
    outcome = run("parse", page, page, "--pieces", terminal=True)

    assert outcome.out.splitlines().count(str(page)) == 2


def test_an_encoding_can_be_forced(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<meta charset=utf-8><title>Ψήφος</title>".encode("iso-8859-7"))

    [row] = run("parse", path, "--encoding", "greek").rows

    assert (row["encoding"], row["title"]) == ("iso-8859-7", "Ψήφος")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--encoding", "morse", "'morse' is not an encoding that browsers support"),
        ("--url", "news.example", "'news.example' is not an http or https address"),
        ("--url", "file:///etc", "is not an http or https address"),
    ],
)
def test_a_wrong_option_is_wrong_usage(run: Run, page: Path, option: str, value: str, message: str) -> None:
    outcome = run("parse", page, option, value)

    assert outcome.code == exits.USAGE
    assert message in outcome.err


def test_url_is_for_a_single_page(run: Run, folder: Path) -> None:
    outcome = run("parse", folder, "--url", "https://news.example/")

    assert outcome.code == exits.USAGE
    assert outcome.err == "broadsheet: --url is the address of one page, but 6 are given\n"


def test_one_bad_input_does_not_lose_the_others(run: Run, page: Path, tmp_path: Path) -> None:
    outcome = run("parse", tmp_path / "nowhere.html", page, "ftp://news.example/")

    assert outcome.code == exits.SOME_FAILED
    assert [row["title"] for row in outcome.rows] == ["A small page"]
    assert outcome.err.splitlines() == [
        f"broadsheet: {tmp_path}/nowhere.html: cannot be read: No such file or directory",
        "broadsheet: ftp://news.example/: only http and https addresses can be fetched",
    ]


def test_when_all_inputs_fail_the_run_has_failed(run: Run, tmp_path: Path) -> None:
    outcome = run("parse", tmp_path / "nowhere.html")

    assert (outcome.code, outcome.out) == (exits.FAILED, "")


def test_a_page_beyond_the_limits_fails_alone(run: Run, page: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep.html"
    deep.write_bytes(b"<div>" * 30)

    outcome = run("parse", page, deep, "--set", "limits.max_depth=20")

    assert outcome.code == exits.SOME_FAILED
    assert len(outcome.rows) == 1
    assert "deep.html: the page's nesting depth is" in outcome.err


def test_debug_shows_where_a_page_failed(run: Run, tmp_path: Path) -> None:
    outcome = run("parse", tmp_path / "nowhere.html", "--debug")

    assert "Traceback" in outcome.err
    assert outcome.err.splitlines()[-1].startswith("broadsheet: ")
