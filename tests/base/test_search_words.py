"""The words of a text as a search compares them."""

import pytest

from broadsheet.base.search_words import indexed, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Harbour's old-town", ["the", "harbour", "s", "old", "town"]),
        ("Große Brücke", ["grosse", "brucke"]),
        ("re\u0301sume\u0301 résumé", ["resume", "resume"]),
        ("a_b", ["a", "b"]),
        ("\ufb01sh ½", ["fish", "1", "2"]),
        ("東京タワー", ["東", "京", "タ", "ワ", "ー"]),
        ("서울", ["서", "울"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Москва́ Αθήνα", ["москва", "αθηνα"]),
        ("עִבְרִית", ["עברית"]),
        ("İstanbul", ["istanbul"]),
        ("\udc80 !", []),
        ("", []),
    ],
)
def test_words_are_without_case_and_accents_in_any_script(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize("text", ["Plain ASCII, 3 words_x", "Brücke, 東京 x"])
def test_what_is_indexed_has_the_same_words(text: str) -> None:
    assert words(indexed(text)) == words(text)
