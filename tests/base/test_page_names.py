"""A URL or file name is refused with advice; a page never is."""

from collections.abc import Callable
from pathlib import Path

import pytest

import broadsheet
from broadsheet.base.page_names import LONGEST_NAME

TAKING_PAGES: list[Callable[[str], object]] = [
    broadsheet.extract,
    broadsheet.parse,
    broadsheet.identify,
    broadsheet.analyse,
]


@pytest.mark.parametrize("take", TAKING_PAGES)
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        (
            "https://news.example/story",
            r"is a URL, not a page: pass broadsheet\.fetch\('https://news\.example/story'",
        ),
        ("  HTTP://news.example/?a=1\n", r"is a URL, not a page: pass broadsheet\.fetch\('HTTP://news\.example/"),
        (
            "page.html",
            r"'page\.html' looks like a file name, not a page: pass pathlib\.Path\('page\.html'\)\.read_bytes",
        ),
        ("saved/2026/Seite.HTM", r"pass pathlib\.Path\('saved/2026/Seite\.HTM'\)\.read_bytes\(\)"),
        ("page.html.gz", r"pass gzip\.decompress\(pathlib\.Path\('page\.html\.gz'\)\.read_bytes\(\)\)"),
        (
            "crawl.warc.gz",
            r"a WARC file, which contains many pages: run `broadsheet extract crawl\.warc\.gz`",
        ),
        ("crawl.warc", "looks like a WARC file"),
    ],
)
def test_a_url_or_file_name_is_refused_with_advice(take: Callable[[str], object], name: str, advice: str) -> None:
    with pytest.raises(broadsheet.InputError, match=advice):
        take(name)


def test_any_text_is_refused_if_a_file_of_that_name_exists(tmp_path: Path) -> None:
    saved = tmp_path / "my saved page"
    saved.write_text("<p>Hello")

    with pytest.raises(broadsheet.InputError, match="looks like a file name"):
        broadsheet.extract(str(saved))


def test_a_path_object_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(broadsheet.InputError, match=r"not a path: pass PosixPath\('.*'\)\.read_bytes\(\)"):
        broadsheet.parse(tmp_path / "page.html")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "page",
    [
        "",
        "no title",
        "A sentence that ends in the name of page.html",
        "https://news.example/story and what it says",
        "https://news.example/one\nhttps://news.example/two",
        "page.html\npage.htm",
        "<a>page.html",
        "news",
        "\0",
        "\ud800.txt",
    ],
)
def test_text_is_a_page(page: str) -> None:
    assert isinstance(broadsheet.parse(page), broadsheet.Document)


def test_text_longer_than_any_name_is_a_page() -> None:
    longest = "a" * (LONGEST_NAME - len(".html")) + ".html"

    with pytest.raises(broadsheet.InputError, match="looks like a file name") as raised:
        broadsheet.parse(longest)

    assert len(str(raised.value)) < 600
    assert broadsheet.parse("a" + longest).text(0) == "a" + longest
