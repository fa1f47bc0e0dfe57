"""What is looked for: words, phrases, beginnings of words and exclusions."""

import pytest

from broadsheet.base.errors import InputError
from broadsheet.base.search_query import SearchQuery


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("bridge harbour", True),
        ("bridge tunnel", False),
        ('"old harbour bridge"', True),
        ('"harbour old"', False),
        ("harb*", True),
        ("harb", False),
        ('"old harb"*', True),
        ("bridge -tunnel", True),
        ("bridge -closed", False),
        ('bridge -"was closed"', False),
        ('bridge -"closed was"', True),
        ("well-known", False),
        ("mayor", True),
        ('"closed mayor"', False),
        ('"unfinished phrase', False),
        ('"the old', True),
    ],
)
def test_a_query_is_answered_from_title_and_body(query: str, is_found: bool) -> None:
    assert SearchQuery.parse(query).matches("The mayor", "In March the Old Harbour Bridge was closed.") is is_found


@pytest.mark.parametrize("query", ["", " ", "-not", '""', "!?", "*", "-"])
def test_a_query_without_a_word_to_look_for_is_refused(query: str) -> None:
    with pytest.raises(InputError, match="has no word to search for"):
        SearchQuery.parse(query)


def test_a_snippet_shows_the_first_match_with_brackets_around_what_was_found() -> None:
    text = "word " * 20 + "the Old Harbour, bridge of Cafe\u0301s " + "word " * 40

    assert SearchQuery.parse('"harbour bridge" cafes').snippet(text) == (
        "… word word word word word word the Old [Harbour, bridge] of [Cafés]"
        " word word word word word word word word word word word word word word word word word word …"
    )
    assert SearchQuery.parse("東京").snippet("昨日東京タワーで") == "昨日[東京]タワーで"
    assert SearchQuery.parse("nothing").snippet(text) is None
