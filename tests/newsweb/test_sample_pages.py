import json
import re
from html import unescape

import pytest
from lxml import html

from broadsheet.newsweb.sample_pages import SamplePage, make_pages

PAGES = {page.name: page for page in make_pages(1)}
CHARSETS = {"article-en.html": "utf-8", "article-el.html": "windows-1253", "article-ja.html": "shift_jis"}


def text_of(page: SamplePage) -> str:
    return page.content.decode(CHARSETS.get(page.name, "utf-8"))


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert make_pages(1) == make_pages(1)
    assert make_pages(1) != make_pages(2)


def test_every_kind_of_page_is_there() -> None:
    assert {name: page.kind for name, page in PAGES.items()} == {
        "home.html": "section",
        "section.html": "section",
        "article-en.html": "article",
        "article-el.html": "article",
        "article-ja.html": "article",
        "legal.html": "other",
    }


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_pages_are_complete_documents_of_one_site(page: SamplePage) -> None:
    tree = html.document_fromstring(text_of(page))

    assert page.url.startswith("https://www.tidewater-courier.example/")
    assert tree.findtext("head/title", "").endswith("| The Tidewater Courier")
    assert len(tree.findall(".//nav/ul/li/a")) == 6


@pytest.mark.parametrize("name", CHARSETS)
def test_an_article_contains_the_text_of_its_story(name: str) -> None:
    page = PAGES[name]
    assert page.story is not None

    tree = html.document_fromstring(text_of(page)).find(".//article")

    assert tree is not None
    paragraphs = [
        "".join(map(str, paragraph.itertext())) for paragraph in tree.findall("p") if not paragraph.get("class")
    ]
    assert tuple(paragraphs) == page.story.paragraphs
    assert tree.findtext("h1") == page.story.headline


@pytest.mark.parametrize("name", CHARSETS)
def test_an_article_describes_itself_in_json_ld(name: str) -> None:
    page = PAGES[name]
    assert page.story is not None

    match = re.search(r'<script type="application/ld\+json">(.*?)</script>', text_of(page), re.DOTALL)

    assert match is not None
    properties = json.loads(unescape(match[1]))
    assert properties["headline"] == page.story.headline
    assert properties["datePublished"] == page.story.published.isoformat()
    assert properties["author"][0]["name"] == page.story.author


@pytest.mark.parametrize(("name", "declared"), [("en", True), ("el", True), ("ja", False)])
def test_two_articles_declare_their_encoding_and_one_does_not(name: str, declared: bool) -> None:
    page = PAGES[f"article-{name}.html"]

    assert (b"<meta charset=" in page.content) is declared
