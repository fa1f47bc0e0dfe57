import math
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import KINDS
from broadsheet.newsweb.web import NewsWeb
from broadsheet.pages.content import longest_text
from broadsheet.pages.location import LOCATION, UNKNOWN
from broadsheet.pages.page_features import FEATURES, measure
from broadsheet.pages.page_model import page_model
from broadsheet.pages.page_reasons import describe

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PARAGRAPH = "<p>The harbour bridge was opened to all traffic on Monday, three months later than had been planned.</p>"
#: Paragraphs that differ, because repeated ones are read once.
BODY = "<h1>Bridge reopens</h1>" + "".join(PARAGRAPH.replace("Monday", f"day {number}") for number in range(12))
ARTICLE = f"<html><title>Bridge reopens after three months</title><body>{BODY}</body></html>"
TAGS = ["a href=/x", "p", "div", "h1", "h2", "ul", "li", "article", "time", "title", "form", "br", "script"]


def named(page: str | bytes, url: str | None = None) -> dict[str, float]:
    return dict(zip(FEATURES, measure(broadsheet.parse(page, url)).tolist(), strict=True))


def test_the_longest_text_without_a_tag_is_counted_in_words() -> None:
    page = "<p>One two three <b>four five</b> six</p><p>one two three four</p>"

    assert longest_text(broadsheet.parse(page)) == 4


def test_adjacent_paragraphs_are_distinguished_from_scattered_ones() -> None:
    scattered = "".join(f"<div>{PARAGRAPH}</div>" for _ in range(12))

    together, apart = named(ARTICLE), named(f"<html><body>{scattered}</body></html>")

    assert together["together"] == 12
    assert apart["paragraphs"] == 12
    assert apart["together"] == 1


def test_headings_that_are_links_are_counted_whichever_is_inside() -> None:
    page = named("<h2><a href=/a>One</a></h2><a href=/b><h3>Two</h3></a><h2>Three</h2>")

    assert page["headings"] == 3
    assert page["linked_headings"] == 2


def test_og_type_speaks_for_an_article_or_against_it_or_is_missing() -> None:
    page = '<meta property="og:type" content="{}"><p>Text</p>'

    claims = [named(page.format(kind))["og_article"] for kind in ("article", "website")]

    assert claims == [1, -1]
    assert named("<p>Text</p>")["og_article"] == 0


def test_the_address_is_the_given_one_or_the_page_s_own_or_unknown() -> None:
    canonical = '<link rel=canonical href="https://courier.example/2026/03/02/a-b-c-d"><p>Text</p>'

    assert named("<p>Text</p>", "https://courier.example/x/y/")["url_depth"] == 2
    assert named(canonical)["url_slug_words"] == 4
    assert all(named("<p>Text</p>")[name] == UNKNOWN for name in LOCATION)


def test_the_shipped_model_classifies_the_pages_of_the_news_web() -> None:
    web = NewsWeb(5, 4)
    site = web.sites[0]
    pages = [(truth.url, "article") for truth in web.articles(NOW.replace(day=1), NOW, site=site, newest=8)]
    pages += [(truth.url, truth.kind) for truth in web.permanent_pages(site, NOW) if truth.subtype in {"home", "front"}]

    right = [broadsheet.identify(web.fetch(url, NOW).body, url).kind == kind for url, kind in pages]

    assert np.mean(right) >= 0.8


def test_a_verdict_has_kind_probabilities_and_reasons() -> None:
    verdict = broadsheet.identify(ARTICLE, "https://courier.example/2026/03/02/bridge-reopens-after-three-months")

    assert verdict.kind == "article"
    assert verdict.probability == max(verdict.probabilities.values())
    assert math.isclose(sum(verdict.probabilities.values()), 1)
    assert set(verdict.probabilities) == set(KINDS)
    assert verdict.model == page_model().card.label
    assert 1 <= len(verdict.reasons) <= 10
    assert len(set(verdict.reasons)) == len(verdict.reasons)


def test_reasons_use_the_singular_for_one() -> None:
    assert describe("headings", {"headings": 1}) == "1 heading"
    assert describe("headings", {"headings": 11}) == "11 headings"
    assert describe("date_lines", {"date_lines": 1}) == "1 short line with digits, like dates"
    assert describe("text_fields", {"text_fields": 1}) == "1 multi-line text field"
    assert describe("main_headlines", {"main_headlines": 1}) == "1 headline-like link in the main element"
    assert describe("words_a_link", {"words_a_link": 12.1}) == "12.1 words of text per link"


def test_the_root_of_a_site_is_not_an_article_even_if_it_reads_like_one() -> None:
    root = broadsheet.identify(ARTICLE, "https://courier.example/")

    assert root.kind != "article"
    assert root.reasons[0] == "the address of the site's home page"


def test_a_long_page_titled_like_a_legal_page_is_not_an_article() -> None:
    page = f"<html><title>Datenschutzerklärung | Kurier</title><body><h1>Datenschutz</h1>{PARAGRAPH * 12}</body></html>"

    verdict = broadsheet.identify(page, "https://kurier.example/datenschutz/")

    assert (verdict.kind, verdict.subtype) == ("other", "legal")
    assert "titled like an imprint, a privacy statement or terms of use" in verdict.reasons


def test_ways_to_reach_a_site_are_counted() -> None:
    found = named(
        '<p>Write to a@b.example or <a href="mailto:a@courier.example">mail</a>, <a href="tel:+491">call</a></p>'
        '<form><input name="who"><input type="EMAIL"><input type="radio"><input type="checkbox"><input type="password">'
    )

    reached = ("at_signs", "mail_links", "phone_links", "text_inputs", "mail_fields", "choices", "passwords")
    assert [found[name] for name in reached] == [1, 1, 1, 1, 1, 2, 1]


def test_every_feature_can_be_described() -> None:
    for value in (-1.0, 0.0, 1.0):
        features = dict.fromkeys(FEATURES, value)
        assert all(describe(name, features) for name in FEATURES)


def test_the_same_page_gives_the_same_verdict_as_text_bytes_and_document() -> None:
    verdicts = {
        broadsheet.identify(page).to_dict().__repr__()
        for page in (ARTICLE, ARTICLE.encode(), broadsheet.parse(ARTICLE))
    }

    assert len(verdicts) == 1


@given(st.lists(st.one_of(st.sampled_from([f"<{tag}>" for tag in TAGS]), st.text(max_size=30)), max_size=60))
def test_no_page_makes_it_raise_and_all_features_are_numbers(parts: list[str]) -> None:
    page = "".join(parts)

    row = measure(broadsheet.parse(page))

    assert np.isfinite(row).all()
    assert sum(broadsheet.identify(page).probabilities.values()) == pytest.approx(1)


def test_an_article_is_read_and_carries_the_verdict() -> None:
    page = broadsheet.analyse(ARTICLE, "https://courier.example/2026/03/02/bridge-reopens-after-three-months")

    assert page.verdict.kind == "article"
    assert page.article is not None
    assert page.article.verdict == page.verdict
    assert page.article.body.count("harbour bridge") == 12


def test_a_page_that_is_not_an_article_is_read_only_by_force() -> None:
    links = "".join(f'<li><a href="/politics/{n}">Section {n}</a></li>' for n in range(60))
    page = f"<html><title>Politics</title><body><ul>{links}</ul><p>Contact us.</p></body></html>"

    analysed = broadsheet.analyse(page, "https://courier.example/politics/")

    assert analysed.verdict.kind != "article"
    assert analysed.article is None
    assert broadsheet.analyse(page, "https://courier.example/politics/", force=True).article is not None


def test_identifying_needs_no_scikit_learn() -> None:
    code = (
        "import sys, broadsheet; broadsheet.identify('<p>Text</p>');"
        "sys.exit(any(name in sys.modules for name in ('sklearn', 'scipy', 'scrapy', 'sqlalchemy')))"
    )

    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=600)  # noqa: S603 - our own words

    assert done.returncode == 0
