"""The text of an article that its page states only in JSON-LD."""

import json

import pytest

from broadsheet.base.records import Article, Label
from broadsheet.reading import extract
from broadsheet.reading._stated_body import EVIDENCE, MIN_LENGTH

PARAGRAPHS = (
    "The harbour bridge was opened to all traffic on Monday, three months later than the city had announced in spring.",
    "Engineers had found cracks in two of its piers, and had to cast them again before any lorry could cross it.",
    "The mayor said that the ferry, which had carried commuters since March, would run until the end of the week.",
)
STATED = "\n".join(PARAGRAPHS)


def page(*things: dict[str, object], shown: str = "<p>Subscribe to read on.</p>") -> str:
    data = json.dumps(things)
    return f"<title>Bridge opens</title><script type='application/ld+json'>{data}</script><h1>Bridge opens</h1>{shown}"


def article(body: str, **properties: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": "Bridge opens", "articleBody": body, **properties}


def read(html: str, *, reader: str = "default") -> Article:
    found = extract(html, reader=reader, force=True)
    assert found is not None
    return found


def test_a_text_that_the_page_does_not_show_is_taken_from_json_ld() -> None:
    found = read(page(article(STATED)))

    assert found.body == "\n\n".join(PARAGRAPHS)
    assert found.evidence["body"] == EVIDENCE
    assert [(block.text, block.path) for block in found.blocks if block.label == Label.BODY] == [
        (paragraph, "") for paragraph in PARAGRAPHS
    ]


def test_a_page_whose_text_is_only_in_json_ld_has_an_article() -> None:
    assert extract(page(article(STATED), shown="<div id=root></div>")) is not None


def test_a_text_that_the_page_shows_is_read_from_there() -> None:
    shown = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS[:2])

    found = read(page(article(STATED), shown=f"<article>{shown}</article>"))

    assert found.body == "\n\n".join(PARAGRAPHS[:2])
    assert found.evidence["body"] == "reader default"


@pytest.mark.parametrize(
    "stated",
    [
        "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS),
        "".join(f"&lt;p&gt;{paragraph}&lt;/p&gt;" for paragraph in PARAGRAPHS),
        "\r\n\r\n".join(PARAGRAPHS),
    ],
    ids=["tags", "escaped tags", "line breaks"],
)
def test_what_is_left_of_html_is_removed(stated: str) -> None:
    assert read(page(article(stated))).body == "\n\n".join(PARAGRAPHS)


@pytest.mark.parametrize("reference", ["&eacute;", "&amp;eacute;", "&#xE9;", "&amp;#xE9;"])
def test_character_references_that_are_left_are_decoded(reference: str) -> None:
    assert read(page(article(STATED.replace("mayor", f"maire {reference}lu")))).body.count("maire élu") == 1


@pytest.mark.parametrize(
    "html",
    [
        page(article(STATED[: MIN_LENGTH - 1])),
        page(article(STATED), article(STATED.upper(), headline="Another story")),
        page({"@type": "Recipe", "articleBody": STATED}),
        page(article("")),
    ],
    ids=["too short", "of several articles", "of something else", "empty"],
)
def test_other_texts_are_not_taken(html: str) -> None:
    assert read(html).evidence.get("body") != EVIDENCE


def test_published_readers_read_only_what_is_shown() -> None:
    assert read(page(article(STATED)), reader="coreex").evidence.get("body") != EVIDENCE
