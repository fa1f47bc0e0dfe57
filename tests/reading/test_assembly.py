from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import Label, Reading
from broadsheet.document import parse
from broadsheet.newsweb.sample_pages import make_pages
from broadsheet.reading import names, read, to_article
from broadsheet.reading.paragraphs import collapse
from tests.document.html import MARKUP
from tests.document.real_pages import pages_of

PAGE = """<html lang=en><head><title>Bridge reopens | The Courier</title>
<meta property=og:site_name content="The Courier"><meta property=og:image content=/bridge.jpg>
<link rel=canonical href=/city/bridge><meta name=keywords content="bridges, harbour">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Bridge reopens",
"datePublished": "2026-03-02T07:15:50+02:00", "dateModified": "2026-03-03", "articleSection": "City",
"author": [{"@type": "Person", "name": "Nora Pell"}, {"@type": "Person", "name": "Ian Moor"}],
"isAccessibleForFree": false, "description": "After three months."}</script></head><body>
<nav><a href=/>Home</a><a href=/city>City</a></nav><main><h1>Bridge reopens</h1>
<p>The harbour bridge was opened to <b>all</b> traffic on Monday, three months late, the city said.</p>
<h2>Shops are glad</h2><p>Those who keep shops on the far side had feared for their trade all winter long.</p>
<ul><li>Cars may cross by day</li><li>Ships go first</li></ul></main></body></html>"""


@pytest.fixture(params=["coreex", "subsequence", "separator"])
def article(request: pytest.FixtureRequest) -> broadsheet.Article:
    extracted = broadsheet.extract(PAGE, "https://courier.example/city/bridge?x=1", reader=request.param)
    assert extracted is not None
    return extracted


def test_every_reader_gives_the_same_article(article: broadsheet.Article) -> None:
    assert article.title == "Bridge reopens"
    assert article.headings == ("Shops are glad",)
    assert article.body.split("\n\n") == [
        "The harbour bridge was opened to all traffic on Monday, three months late, the city said.",
        "Shops are glad",
        "Those who keep shops on the far side had feared for their trade all winter long.",
        "Cars may cross by day",
        "Ships go first",
    ]


def test_the_metadata_fills_the_fields(article: broadsheet.Article) -> None:
    assert article.authors == ("Nora Pell", "Ian Moor")
    assert article.published is not None
    assert article.published.isoformat() == "2026-03-02T07:15:50+02:00"
    assert article.published_raw == "2026-03-02T07:15:50+02:00"
    assert article.published_precision == "second"
    assert (article.modified, article.modified_precision) == (datetime(2026, 3, 3), "day")
    assert (article.language, article.section, article.site_name) == ("en", "City", "The Courier")
    assert article.description == "After three months."
    assert article.topics == ("bridges", "harbour")
    assert article.paywalled is True
    assert article.canonical_url == "https://courier.example/city/bridge"
    assert [image.url for image in article.images] == ["https://courier.example/bridge.jpg"]


def test_every_field_has_its_evidence(article: broadsheet.Article) -> None:
    assert article.evidence["title"].startswith("reader ")
    assert article.evidence["published"] == "json-ld NewsArticle.datePublished"
    assert article.evidence["modified"] == "json-ld NewsArticle.dateModified"
    assert article.evidence["canonical_url"] == "link canonical"
    assert article.evidence["body"].startswith("reader ")


def test_the_blocks_are_labelled(article: broadsheet.Article) -> None:
    assert [block.label for block in article.blocks] == [
        Label.TITLE, Label.BODY, Label.HEADING, Label.BODY, Label.BODY, Label.BODY,
    ]  # fmt: skip
    assert article.blocks[4].path == "/html/body/main/ul/li[1]"


def test_markdown_has_the_headings_and_lists(article: broadsheet.Article) -> None:
    lines = article.to_markdown().splitlines()

    assert lines[0] == "# Bridge reopens"
    assert lines[2] == "*Nora Pell, Ian Moor, 2026-03-02T07:15:50+02:00*"
    assert "## Shops are glad" in lines
    assert lines[-2:] == ["- Cars may cross by day", "- Ships go first"]


def test_markdown_marks_in_the_text_stay_text() -> None:
    article = broadsheet.extract("<body><p># 1 *star* and [bracket] of words<br>1. not a list of anything</p></body>")

    assert article is not None
    assert article.to_markdown() == "\\# 1 \\*star\\* and \\[bracket\\] of words  \n1\\. not a list of anything\n"


def test_schema_org_has_the_known_fields(article: broadsheet.Article) -> None:
    stated = article.to_schema_org()

    assert stated["@type"] == "NewsArticle"
    assert stated["headline"] == "Bridge reopens"
    assert stated["author"] == [{"@type": "Person", "name": "Nora Pell"}, {"@type": "Person", "name": "Ian Moor"}]
    assert stated["datePublished"] == "2026-03-02T07:15:50+02:00"
    assert stated["isAccessibleForFree"] is False
    assert "caption" not in stated


def test_unknown_fields_are_absent_from_schema_org() -> None:
    article = broadsheet.extract("<p>Just some text.</p>")

    assert article is not None
    assert article.to_schema_org() == {
        "@context": "https://schema.org", "@type": "NewsArticle", "articleBody": "Just some text.",
    }  # fmt: skip


def test_headings_are_labelled_even_if_the_reader_does_not() -> None:
    document = parse("<body><p>One two.</p><h3>Three</h3></body>")
    size = len(document.pieces)

    article = to_article(document, Reading(np.full(size, Label.BODY, np.int8), np.ones(size, np.float32), "all"))

    assert article.headings == ("Three",)
    assert article.body == "One two.\n\nThree"


@pytest.mark.parametrize("page", ["", b"", " \n", "<frameset><frame src=x></frameset>", "<img src=x>", "<p>&nbsp;</p>"])
def test_a_page_without_text_has_no_article(page: str | bytes) -> None:
    assert broadsheet.extract(page) is None


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
def test_force_returns_any_text(reader: str) -> None:
    article = broadsheet.extract("<title>Only a title</title>", force=True, reader=reader)

    assert article is not None
    assert (article.title, article.body, article.blocks) == ("Only a title", "", ())


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
@pytest.mark.parametrize("exact", [False, True])
def test_bytes_that_are_not_a_page_do_no_harm(reader: str, exact: bool) -> None:
    for page in (bytes(range(256)) * 4, b"%PDF-1.4 \x00\xff" * 50, b"\x89PNG\r\n\x1a\n" * 9, b"<" * 500):
        article = broadsheet.extract(page, reader=reader, exact=exact)

        assert article is None or isinstance(article.body, str)


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
def test_a_deep_page_is_read(reader: str) -> None:
    article = broadsheet.extract("<div>" * 1500 + "<p>Deep down there are words.</p>", reader=reader)

    assert article is not None
    assert article.body == "Deep down there are words."


def test_a_page_beyond_the_limits_raises_a_clear_error() -> None:
    with pytest.raises(broadsheet.LimitError, match="nesting depth"):
        broadsheet.extract("<div>" * 2500 + "Too deep")


def test_a_time_of_fetching_needs_an_offset() -> None:
    with pytest.raises(broadsheet.InputError, match="fetched_at needs a UTC offset"):
        broadsheet.extract("<p>One</p>", fetched_at=datetime(2026, 3, 2))


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator"])
def test_generated_articles_are_read_in_every_language(reader: str) -> None:
    pages = {page.name: page for page in make_pages(1)}

    for name in ("article-en.html", "article-el.html", "article-ja.html"):
        article = broadsheet.extract(pages[name].content, pages[name].url, reader=reader)
        assert article is not None
        assert article.title
        assert len(article.body.split("\n\n")) >= 4
        assert article.published is not None


@given(MARKUP, st.sampled_from(["coreex", "subsequence", "separator"]), st.booleans())
def test_the_body_contains_only_text_of_the_page(markup: str, reader: str, exact: bool) -> None:
    document = parse(markup)
    article = broadsheet.extract(document, reader=reader, exact=exact, force=True)

    assert article is not None
    page = "".join(collapse(document.piece_text(piece)) for piece in range(len(document.pieces)))
    rest = iter("".join(page.split()))
    assert all(character in rest for character in "".join(article.body.split()))


@given(MARKUP)
def test_any_article_can_be_written(markup: str) -> None:
    article = broadsheet.extract(markup, "https://courier.example/", force=True)

    assert article is not None
    assert article.to_json()
    assert isinstance(article.to_markdown(), str)
    assert article.to_schema_org()["@context"] == "https://schema.org"


@pytest.mark.soak
def test_real_pages_are_read_by_every_reader(shared_data: Path) -> None:
    for _, content in pages_of(shared_data, 20):
        document = parse(content, encoding="utf-8")
        for reader in names():
            for exact in (False, True):
                reading = read(document, reader, exact=exact)

                assert len(reading.labels) == len(document.pieces)
                assert to_article(document, reading).to_json()


def test_the_body_does_not_repeat_the_title() -> None:
    page = "<title>Bridge stays open</title><h1>Bridge stays open</h1><p>Bridge stays open</p>"
    document = parse(page + "<p>The council voted on Tuesday.</p>")
    labels = np.array([Label.GARBAGE, Label.TITLE, Label.BODY, Label.BODY], np.int8)

    article = to_article(document, Reading(labels, np.ones(4, np.float32), "made"))

    assert article.body == "The council voted on Tuesday."
