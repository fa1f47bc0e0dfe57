import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.pages._page_titles import Titles, titles, words


def titles_of(title: str, heading: str = "") -> Titles:
    return titles(broadsheet.parse(f"<title>{title}</title><body><h1>{heading}</h1></body>"))


def test_words_are_spelt_as_in_urls() -> None:
    assert words("Über Größe, café 24") == ["ueber", "groesse", "cafe"]
    assert words("Όροι χρήσης") == ["οροι", "χρησης"]
    assert words("プライバシー 이용약관") == ["プライバシー", "이용약관"]


@given(st.lists(st.text(st.characters() | st.sampled_from("Σäé\u0301 İ"))), st.sampled_from(("|", "–", "·", "//")))
def test_the_words_of_a_title_are_those_of_its_parts(parts: list[str], mark: str) -> None:
    title = f" {mark} ".join(parts)

    assert words(title) == [word for part in parts for word in words(part)]


def test_a_heading_that_the_title_repeats_agrees_with_it() -> None:
    assert titles_of("Bridge reopens - The Courier", "Bridge reopens")[:2] == (1.0, 2)
    assert titles_of("The Courier", "Bridge reopens")[:2] == (0.0, 2)


@pytest.mark.parametrize(
    "title",
    [
        "Impressum - DER KURIER",
        "Datenschutzerklärung | Kurier",
        "Mentions légales",
        "利用規約",
        "プライバシーポリシー",
        "이용약관",
        "Όροι χρήσης",
    ],
)
def test_legal_pages_are_known_by_their_titles_in_many_languages(title: str) -> None:
    assert titles_of(title).legal_share == 1


def test_one_legal_word_in_a_headline_is_a_small_share() -> None:
    assert titles_of("New privacy rules worry companies across the continent | Courier").legal_share < 0.2


def test_a_main_heading_of_service_words_shows_even_if_the_title_has_none() -> None:
    found = titles_of("The Courier", "Contact the newsletter team")

    assert (found.title_service, found.heading_service, found.heading_service_share) == (0, 3, 0.75)


def test_the_title_features_of_a_page_without_title_are_zero() -> None:
    assert set(titles(broadsheet.parse("<p>Text</p>"))) == {0}
