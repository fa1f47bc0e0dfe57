"""Further pages, and versions for print or phones, are found by their addresses."""

import pytest

from broadsheet.sources.address_versions import MAX_QUERIES, originals_of

_STORY = "https://news.example/town/2026/a-bridge-opens-again"


@pytest.mark.parametrize(
    "version",
    [
        f"{_STORY}?print=1",
        f"{_STORY}~2",
        f"{_STORY}/3",
        f"{_STORY}/seite-2.html",
        f"{_STORY}-page-12",
        f"{_STORY}/amp",
    ],
)
def test_a_version_has_the_address_of_its_original_and_more(version: str) -> None:
    assert originals_of([version, "https://news.example/town", _STORY]).tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    "other",
    [
        f"{_STORY}/comments",
        f"{_STORY}-2025",
        "https://news.example/town/2026/a-bridge",
        "https://other.example/town/2026/a-bridge-opens-again~2",
    ],
)
def test_another_address_is_its_own_original(other: str) -> None:
    assert originals_of([other, _STORY]).tolist() == [0, 1]


def test_the_query_of_a_home_page_can_ask_for_anything() -> None:
    assert originals_of(["https://news.example/", "https://news.example/?p=1234"]).tolist() == [0, 1]


def test_a_path_with_many_queries_shows_different_pages() -> None:
    urls = [
        "https://news.example/show.php",
        *(f"https://news.example/show.php?id={n}" for n in range(MAX_QUERIES + 1)),
    ]

    assert originals_of(urls).tolist() == list(range(len(urls)))
