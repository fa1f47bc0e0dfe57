"""Pages that pass for others."""

import json

import pytest
from lxml import html

pytest.importorskip("scrapy")

from benchmarks.replay.disguise import LinkRule, OwnTargets, disguise

from tests.benchmarks.replay_folder import corpus_page

TARGETS = OwnTargets(["https://gazette.example/2026/03/02/story-1"], ["https://gazette.example/politics/"])
URL = "https://news1.example/article/1"


def disguised(page: str, url: str | None = URL, title: str = "Another <title> & more") -> html.HtmlElement:
    tree = html.document_fromstring(disguise(page.encode(), url, title, TARGETS), html.HTMLParser(encoding="utf-8"))
    assert isinstance(tree, html.HtmlElement)
    return tree


def test_all_titles_are_replaced() -> None:
    page = disguised(corpus_page("article", 1))

    assert page.xpath("//title/text()") == ["Another <title> & more"]
    assert page.xpath("//h1//text()") == ["Another <title> & more"]
    assert page.xpath("//meta[@property='og:title']/@content") == ["Another <title> & more"]
    assert json.loads(page.xpath("//script/text()")[0])["headline"] == "Another <title> & more"


def test_only_the_first_main_heading_is_replaced() -> None:
    page = disguised("<h1>One</h1><h1>Two</h1>")

    assert page.xpath("//h1/text()") == ["Another <title> & more", "Two"]


def test_titles_are_kept_where_no_link_has_a_text() -> None:
    page = disguised(corpus_page("article", 1), title="")

    assert page.xpath("//title/text()") == ["Original 1"]
    assert json.loads(page.xpath("//script/text()")[0])["headline"] == "Original"


def test_nothing_states_where_the_page_is_from() -> None:
    page = disguised(corpus_page("article", 1))

    assert page.xpath("//link") == []
    assert page.xpath("//meta[@property='og:url']") == []
    assert b"news1.example" not in html.tostring(page)


def test_stylesheets_and_text_after_a_removed_element_stay() -> None:
    page = disguised("<link rel=stylesheet href=/s.css><body><link rel=canonical href=/x>Some text</body>")

    assert page.xpath("//link/@rel") == ["stylesheet"]
    assert "Some text" in page.text_content()


def test_headlines_of_a_graph_are_replaced_and_those_of_its_parts_are_kept() -> None:
    graph = {"@graph": [{"headline": "Original", "url": URL, "hasPart": {"headline": "Part"}}, {"@id": "#author"}]}

    page = disguised(f"<script type='application/ld+json'>{json.dumps(graph)}</script><p>Text</p>", title="</script>")

    (text,) = page.xpath("//script/text()")
    assert json.loads(text) == {
        "@graph": [{"headline": "</script>", "hasPart": {"headline": "Part"}}, {"@id": "#author"}]
    }


@pytest.mark.parametrize("data", ["{broken", "[1, null]", '"text"', ""])
def test_data_that_is_not_about_the_page_does_no_harm(data: str) -> None:
    page = disguised(f"<script type='application/ld+json'>{data}</script><p>Text</p>")

    assert "Text" in page.text_content()


def test_links_to_its_own_site_lead_to_the_new_one() -> None:
    page = disguised(corpus_page("article", 1))

    assert page.xpath("//a/@href") == [
        "https://gazette.example/politics/",
        "https://gazette.example/2026/03/02/story-1",
        "https://other.example/",
    ]


@pytest.mark.parametrize(
    ("page", "url"),
    [
        ("<base href='https://cdn.example/'><a href='x'>Elsewhere</a>", URL),
        ("<a href='https://cdn.example/x'>Elsewhere</a>", None),
    ],
)
def test_other_links_lead_where_they_led(page: str, url: str | None) -> None:
    assert disguised(page, url).xpath("//a/@href") == ["https://cdn.example/x"]


def test_relative_links_of_a_page_of_unknown_origin_are_links_to_its_own_site() -> None:
    assert disguised("<a href='x'>More</a>", None).xpath("//a/@href") == ["https://gazette.example/politics/"]


@pytest.mark.parametrize(
    ("rule", "hrefs"),
    [
        ("away", ["https://cdn.example/x", "https://news1.example/y"]),
        ("kept", ["x", "https://news1.example/y"]),
    ],
)
def test_links_lead_elsewhere_or_stay_as_they_are_if_asked_to(rule: LinkRule, hrefs: list[str]) -> None:
    page = b"<base href='https://cdn.example/'><a href='x'>More</a><a href='https://news1.example/y'>More</a>"
    targets = OwnTargets(TARGETS.articles, TARGETS.sections, rule)

    tree = html.document_fromstring(disguise(page, URL, "Title", targets))

    assert tree.xpath("//a/@href") == hrefs
    assert (tree.find(".//base") is not None) == (rule == "kept")


def test_links_within_a_page_and_those_that_lead_to_none_stay() -> None:
    hrefs = ["#top", "mailto:a@b.example", "javascript:void(0)"]

    assert disguised("".join(f"<a href='{href}'>x</a>" for href in hrefs)).xpath("//a/@href") == hrefs


@pytest.mark.parametrize("page", ["", " ", "<!-- -->"])
def test_a_page_without_elements_stays_as_it_is(page: str) -> None:
    assert disguise(page.encode(), URL, "Title", TARGETS) == page.encode()


def test_text_is_utf_8_whatever_the_page_declares() -> None:
    page = disguised("<meta charset=iso-8859-1><p>für</p>", title="Größe")

    assert "für" in page.text_content()
