import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import KINDS, Kind
from broadsheet.pages._subtypes import SubtypeEvidence, subtype
from broadsheet.pages.page_features import FEATURES, measure

SENTENCE = "The harbour bridge was opened to all traffic on Monday, three months later than had been planned."


def subtype_of(kind: Kind, page: str, url: str | None = None) -> str | None:
    # As bytes: text without any markup could be taken for a name.
    document = broadsheet.parse(page.encode(), url, encoding="utf-8")
    return subtype(kind, SubtypeEvidence(document, dict(zip(FEATURES, measure(document).tolist(), strict=True))))


def typed(kind: str) -> str:
    return f'<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "{kind}"}}</script>'


def test_a_section_at_the_root_of_a_site_is_its_home() -> None:
    assert subtype_of("section", "<p>News</p>", "https://courier.example/") == "home"
    assert subtype_of("section", "<p>News</p>", "https://courier.example/politics/") is None
    assert subtype_of("section", "<p>News</p>") is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://courier.example/tag/harbour/", "topic"),
        ("https://courier.example/thema/hafen", "topic"),
        ("https://courier.example/author/jane-doe/", "author"),
        ("https://courier.example/autoren/jane-doe", "author"),
    ],
)
def test_topic_and_author_pages_are_recognized_by_url(url: str, expected: str) -> None:
    assert subtype_of("section", "<p>News</p>", url) == expected


def test_the_body_classes_of_publishing_systems_are_trusted() -> None:
    assert subtype_of("section", "<body class='archive author author-jane'><p>News</p>") == "author"
    assert subtype_of("section", "<body class='archive category'><p>News</p>") == "topic"
    assert subtype_of("other", "<body class='error404'><p>Nothing here</p>") == "error"


def test_search_results_are_recognized_by_type_or_by_class_and_query() -> None:
    assert subtype_of("section", typed("SearchResultsPage")) == "search"
    assert subtype_of("section", "<body class='search'><p>News</p>", "https://courier.example/x?s=harbour") == "search"


def test_live_blogs_and_videos_are_recognized_by_their_stated_type() -> None:
    assert subtype_of("article", typed("LiveBlogPosting") + f"<p>{SENTENCE}</p>" * 20) == "live"
    assert subtype_of("article", "<meta property='og:type' content='video.other'><p>Watch</p>") == "video"


def test_a_report_with_a_video_is_not_a_video() -> None:
    assert subtype_of("article", typed("VideoObject") + f"<p>{SENTENCE}</p>" * 20) is None


def test_legal_pages_are_recognized_by_title_and_url_together() -> None:
    assert subtype_of("other", "<title>Impressum</title><p>Text</p>", "https://courier.example/impressum/") == "legal"
    half = "<title>Privacy policy</title><p>Text</p>"
    assert subtype_of("other", half, "https://courier.example/privacy-policy") == "legal"
    assert subtype_of("other", half, "https://courier.example/about") is None


def test_a_page_that_asks_for_a_password_and_little_else_is_a_login() -> None:
    form = (
        "<form><input name=user><input type=password><p>Please give us your name and the password that you chose.</p>"
    )
    words = "<p>Whoever has none may ask for one here, free of charge and at any time.</p></form>"

    assert subtype_of("other", form + words, "https://courier.example/login") == "login"
    assert subtype_of("other", form + words + f"<p>{SENTENCE}</p>" * 60, "https://courier.example/login") is None


def test_an_error_page_is_recognized_by_the_status_code_in_its_title() -> None:
    assert subtype_of("other", "<title>404 - nicht gefunden</title><p>Text</p>") == "error"


@given(st.sampled_from(KINDS), st.text(max_size=80), st.none() | st.text(max_size=60))
def test_any_page_at_any_url_has_a_known_subtype_or_none(kind: Kind, page: str, url: str | None) -> None:
    assert subtype_of(kind, page, url) in {
        None,
        "home",
        "topic",
        "author",
        "search",
        "live",
        "video",
        "legal",
        "login",
        "error",
    }
