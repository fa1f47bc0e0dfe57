import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora._compared_words import WordNumbers, is_unspaced, words_of
from broadsheet.document.characters import count_characters


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can't stop: 3.14 of well-known ÉTÉ!", ["can't", "stop", "3.14", "of", "well", "known", "été"]),
        ("姚明NBA球员", ["姚", "明", "nba", "球", "员"]),
        ("ﬁrm Ｆｕｌｌ", ["firm", "full"]),
        ("the lawyer’s", ["the", "lawyer's"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("Straße", ["strasse"]),
        ("x' 1,000, …", ["x", "1,000"]),
        ("", []),
    ],
)
def test_words_are_normalised(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text(max_size=60))
def test_a_composed_text_has_the_words_of_the_decomposed(text: str) -> None:
    assert words_of(unicodedata.normalize("NFD", text)) == words_of(unicodedata.normalize("NFC", text))


@given(st.text(st.sampled_from("aB1é ,.'-’姚ภ\u00ad\n"), max_size=40))
def test_there_are_as_many_words_as_the_document_counts(text: str) -> None:
    assert len(words_of(text)) == count_characters(text).words


def test_equal_words_get_equal_numbers() -> None:
    vocabulary = WordNumbers.empty()

    assert vocabulary.encode(["a", "b", "a"]).tolist() == [0, 1, 0]
    assert vocabulary.encode(["b", "c"]).tolist() == [1, 2]


def test_characters_of_scripts_without_spaces_are_recognised() -> None:
    assert [is_unspaced(word) for word in ("姚", "ภ", "nba", "ни", "한국")] == [True, True, False, False, False]
