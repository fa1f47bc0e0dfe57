import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import KINDS
from broadsheet.pages.url_verdicts import SURE, identify_url, identify_urls, url_model

ARTICLE = "https://www.example.org/politics/2026/03/02/minister-resigns-after-long-debate-over-budget-18273645.html"
SECTION = "https://www.example.org/politics/"
OTHER = "https://www.example.org/privacy/"


def test_a_url_with_a_date_and_a_headline_is_an_article() -> None:
    verdict = identify_url(ARTICLE, "Minister resigns after long debate over budget")

    assert verdict.kind == "article"
    assert verdict.probability > 0.9
    assert verdict.model == "url-2"
    assert verdict.probability == max(verdict.probabilities.values())


def test_a_short_url_with_a_short_anchor_is_a_section() -> None:
    assert identify_url(SECTION, "Politics").kind == "section"


def test_a_page_about_privacy_is_other() -> None:
    assert identify_url(OTHER, "Privacy policy").kind == "other"


def test_the_root_of_a_news_site_is_a_section() -> None:
    assert identify_url("https://www.example.org/").kind == "section"


def test_reasons_are_given_in_words() -> None:
    verdict = identify_url(ARTICLE)

    assert 1 <= len(verdict.reasons) <= 3
    assert any("headline" in reason or "number" in reason or "a day" in reason for reason in verdict.reasons)


@pytest.mark.parametrize("url", ["https://example.org/report.pdf", "https://example.org/feed.xml"])
def test_a_file_is_other_by_its_extension_alone(url: str) -> None:
    verdict = identify_url(url)

    assert (verdict.kind, verdict.probability, verdict.reasons) == ("other", SURE, ("the address of a file",))


@pytest.mark.parametrize("url", ["mailto:a@example.org", "javascript:void(0)", "tel:0123", "", " "])
def test_a_url_that_does_not_lead_to_a_page_is_other(url: str) -> None:
    verdict = identify_url(url)

    assert (verdict.kind, verdict.reasons) == ("other", ("not the address of a page",))


def test_a_missing_scheme_makes_no_difference() -> None:
    bare = ARTICLE.removeprefix("https://")

    assert identify_url(bare).probabilities == identify_url(ARTICLE).probabilities


def test_urls_judged_together_get_the_same_verdicts_as_alone() -> None:
    urls, anchors = [ARTICLE, SECTION, OTHER, "mailto:x"], ["Minister resigns", "Politics", None, "Mail"]

    verdicts = identify_urls(urls, anchors)

    assert len(verdicts) == 4
    for row, (url, anchor) in enumerate(zip(urls, anchors, strict=True)):
        assert verdicts.verdict(row) == identify_url(url, anchor)
        assert KINDS[verdicts.kind[row]] == verdicts.verdict(row).kind


def test_no_urls_give_no_verdicts() -> None:
    assert len(identify_urls([])) == 0


def test_each_url_needs_an_anchor_or_none() -> None:
    with pytest.raises(ValueError, match="2 URLs but 1 anchors"):
        identify_urls([ARTICLE, SECTION], ["a"])


def test_it_is_public() -> None:
    assert broadsheet.identify_url is identify_url


def test_the_shipped_model_has_a_card() -> None:
    card = url_model().card

    assert card.label == "url-2"
    assert "followed sites" in card.training


@given(st.text(max_size=100), st.none() | st.text(max_size=100))
def test_any_text_gets_a_verdict(url: str, anchor: str | None) -> None:
    verdict = identify_url(url, anchor)

    assert np.isclose(sum(verdict.probabilities.values()), 1)
