import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.pages.address import own_labels, split


def test_a_url_is_split_without_its_extension() -> None:
    address = split("https://www.Example.org/Politik/Wahl-2026.html?page=2#top")

    assert address == ("www.example.org", "politik/wahl-2026", "page=2", "page")


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("https://example.org/a.pdf", "file"),
        ("https://example.org/feed.rss", "file"),
        ("https://example.org/a.php?id=1", "page"),
        ("https://example.org/a.b/c", "none"),
        ("https://example.org/version-2.0", "none"),
        ("https://example.org", "none"),
    ],
)
def test_the_extension_distinguishes_pages_from_files(url: str, extension: str) -> None:
    assert split(url).extension == extension


def test_percent_encodings_are_decoded() -> None:
    assert split("https://example.org/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/").path == "новости/"


def test_the_scheme_may_be_missing() -> None:
    assert split("example.org/news/") == ("example.org", "news/", "", "none")


def test_own_labels_leave_out_editions_and_the_domain() -> None:
    assert own_labels("www.example.co.uk") == ()
    assert own_labels("shop.m.example.co.uk") == ("shop",)


@given(st.text(max_size=80))
def test_any_text_can_be_split(text: str) -> None:
    address = split(text)

    assert address.extension in {"none", "page", "file"}
