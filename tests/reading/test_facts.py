"""The facts of an article that need little choice, and what holds for all of them."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.document import parse
from broadsheet.reading import extract
from tests.document.html import MARKUP
from tests.document.real_pages import pages_of
from tests.reading.fact_pages import NOW, TEXT, read_article


def test_a_description_is_plain_text() -> None:
    head = "<meta name=description content='&lt;p&gt;The bridge &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt; 2 &lt; 3'>"

    assert read_article(TEXT, head).description == "The bridge opens. 2 < 3"


def test_pieces_that_show_date_and_author_are_labelled() -> None:
    article = read_article(f"<aside><p class=byline>By Nora Pell</p><p class=date>2 March 2026</p></aside>{TEXT}")

    labelled = {block.label: block.text for block in article.blocks}
    assert labelled[Label.AUTHOR] == "By Nora Pell"
    assert labelled[Label.DATE] == "2 March 2026"
    assert "Nora Pell" not in article.body


def test_the_last_step_of_a_trail_is_the_section() -> None:
    trail = "<nav class=breadcrumb><a href=/>Home</a> <a href=/city>City</a> <a href=/a>Harbour bridge</a></nav>"

    article = read_article(trail + TEXT, url="https://courier.example/a")

    assert (article.section, article.evidence["section"]) == ("City", "breadcrumb")


def test_tag_links_are_topics_if_the_metadata_has_none() -> None:
    article = read_article(TEXT + "<p><a rel=tag href=/t/1>Bridges</a> <a rel=tag href=/t/2>Harbour</a></p>")

    assert (article.topics, article.evidence["topics"]) == (("Bridges", "Harbour"), "rel=tag")


@pytest.mark.parametrize(("written", "language"), [("en_US", "en-US"), ("DE", "de"), ("pt-br", "pt-br")])
def test_the_language_is_a_tag(written: str, language: str) -> None:
    article = extract(f"<html lang={written}><p>{TEXT}")

    assert article is not None
    assert article.language == language


def test_an_invalid_language_is_ignored() -> None:
    article = extract(f"<html lang='please choose'><p>{TEXT}")

    assert article is not None
    assert article.language is None


@given(MARKUP, st.sampled_from([None, NOW]))
def test_any_page_can_be_read(markup: str, fetched_at: datetime | None) -> None:
    article = extract(markup, "https://courier.example/2026/03/02/a", fetched_at=fetched_at, force=True)

    assert article is not None
    assert article.evidence.keys() >= {"published", "published_precision"}


def test_the_same_page_always_gives_the_same_facts() -> None:
    page = f"<h1>Bridge</h1><p class=byline>By Nora Pell</p><p>2 March 2026</p>{TEXT}"

    assert extract(page) == extract(parse(page))


@pytest.mark.soak
def test_real_pages_are_read_without_an_error(shared_data: Path) -> None:
    for _, content in pages_of(shared_data, 40):
        article = extract(content, encoding="utf-8", force=True, fetched_at=NOW)

        assert article is not None
        assert article.published is None or article.published.year >= 1900
