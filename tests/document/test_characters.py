import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document.characters import MARK, PUNCTUATION, SPACE, UPPER, CharacterCounts, classes, count_characters


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("It can't be 3.14, no-one said.", 7),
        ("l’heure d'été", 2),
        ("1,000.5 km", 2),
        ("'quoted' ...", 1),
        ("end.Start", 2),
        ("Привет, мир", 2),
        ("सत्यमेव जयते", 2),
        ("می\u200cخواهم", 1),
        ("한국어 뉴스", 2),
        ("東京タワー", 3),
        ("ภาษาไทย", 7),
        ("cafe\u0301", 1),
        ("\U0001f600", 0),
    ],
)
def test_words_are_counted_the_same_way_in_every_language(text: str, words: int) -> None:
    assert count_characters(text).words == words


def test_white_space_is_collapsed_before_characters_are_counted() -> None:
    assert count_characters("  a \n\t b\u00a0 ").characters == 3


def test_invisible_characters_do_not_count() -> None:
    assert count_characters("a\u200bb\u00ad").characters == 2
    assert count_characters("\u200b \ufeff").characters == 0


def test_each_kind_of_character_is_counted() -> None:
    assert count_characters("Ab 12, C!") == CharacterCounts(
        characters=9, words=3, letters=3, upper=2, digits=2, punctuation=2
    )


@given(st.text())
def test_counts_are_consistent(text: str) -> None:
    counts = count_characters(text)

    assert counts.upper <= counts.letters <= counts.characters
    assert counts.words <= counts.letters + counts.digits
    assert counts.characters <= len(text)


@given(st.text(), st.text())
def test_a_space_separates_words(one: str, other: str) -> None:
    assert count_characters(f"{one} {other}").words == count_characters(one).words + count_characters(other).words


@pytest.mark.parametrize(("category", "kind"), [("Lu", UPPER), ("Mn", MARK), ("Pd", PUNCTUATION), ("Zs", SPACE)])
def test_the_table_agrees_with_unicode(category: str, kind: int) -> None:
    table = classes()

    wrong = [
        hex(code)
        for code in range(0x3000)
        if unicodedata.category(chr(code)) == category
        and table[code] != kind
        # The table is the same for all Python versions, so it lacks characters added by a newer Unicode.
        and unicodedata.ucd_3_2_0.category(chr(code)) == category
    ]

    assert wrong == []


def test_the_table_covers_every_code_point() -> None:
    assert len(classes()) == 0x110000
