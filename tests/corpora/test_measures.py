from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.corpora.measures import (
    Overlap,
    Score,
    all_overlaps,
    harmonic,
    is_exact,
    label_overlaps,
    overlap,
    piece_overlap,
    plain_word_overlap,
    shingle_overlap,
    shingles,
    word_overlap,
)


def test_words_are_counted_as_often_as_they_occur() -> None:
    shared = word_overlap("the cat the hat", "The cat sat on the mat")

    assert shared == Overlap(correct=3, extracted=4, answer=6)
    assert shared.score == Score(0.75, 0.5, 0.6)


def test_characters_are_words_in_scripts_without_spaces() -> None:
    assert word_overlap("新的陆地", "新的陆地是航行") == Overlap(4, 4, 7)
    assert plain_word_overlap("新的陆地", "新的陆地是航行") == Overlap(0, 1, 1)


def test_shingles_are_four_words_in_a_row() -> None:
    # "a b c d e" has abcd and bcde; "b c d e f" has bcde and cdef.
    assert shingle_overlap("a b c d e", "b c d e f") == Overlap(1, 2, 2)
    assert shingles("one two".split()) == [("one", "two")]
    assert shingles([]) == []


def test_shingles_keep_case_and_plain_words_do_not() -> None:
    assert shingle_overlap("A b", "a b").correct == 0
    assert plain_word_overlap("A b", "a b").correct == 2


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        ((0, 0, 0), Score(1.0, 1.0, 1.0)),
        ((0, 0, 5), Score(0.0, 0.0, 0.0)),
        ((0, 5, 0), Score(0.0, 0.0, 0.0)),
        ((5, 5, 5), Score(1.0, 1.0, 1.0)),
        ((0, 3, 4), Score(0.0, 0.0, 0.0)),
    ],
)
def test_empty_texts_have_scores_too(counts: tuple[int, int, int], score: Score) -> None:
    assert Overlap(*counts).score == score


def test_a_page_s_pieces_are_counted_once_or_by_their_words() -> None:
    extracted, answer = np.array([True, True, False, False]), np.array([True, False, True, False])
    words = np.array([10, 30, 60, 100])

    assert piece_overlap(extracted, answer) == Overlap(1, 2, 2)
    weighted = piece_overlap(extracted, answer, words)
    assert weighted == Overlap(10, 40, 70)
    assert weighted.score.precision == 0.25
    assert weighted.score.recall == pytest.approx(1 / 7)


def test_labels_are_compared_one_by_one() -> None:
    extracted = np.array([Label.TITLE, Label.BODY, Label.BODY, Label.GARBAGE], np.int8)
    answer = np.array([Label.BODY, Label.BODY, Label.BODY, Label.TITLE], np.int8)

    overlaps = label_overlaps(extracted, answer, [Label.TITLE, Label.BODY])

    assert overlaps == {Label.TITLE: Overlap(0, 1, 1), Label.BODY: Overlap(2, 2, 3)}


def test_texts_are_the_same_by_their_words_and_case() -> None:
    assert is_exact("One, two!", "One two")
    assert not is_exact("one two", "One two")
    assert not is_exact("two One", "One two")


bags = st.lists(st.sampled_from("abcd"), max_size=12)


@given(bags, bags)
def test_swapping_the_texts_swaps_precision_and_recall(one: list[str], other: list[str]) -> None:
    forth, back = overlap(one, other), overlap(other, one)

    assert (forth.correct, forth.extracted, forth.answer) == (back.correct, back.answer, back.extracted)
    assert forth.correct == sum(min(Counter(one)[word], Counter(other)[word]) for word in "abcd")
    assert forth.score.f == back.score.f


@given(st.text(max_size=50), st.text(max_size=50))
def test_scores_are_between_0_and_1_and_f_between_precision_and_recall(extracted: str, answer: str) -> None:
    for shared in all_overlaps(extracted, answer).values():
        precision, recall, f = shared.score
        assert 0 <= min(precision, recall) <= f + 1e-9
        assert f <= max(precision, recall) + 1e-9 <= 1 + 1e-9


@given(st.text(max_size=80))
def test_a_text_matches_itself_perfectly(text: str) -> None:
    assert is_exact(text, text)
    assert all(shared.score == (1.0, 1.0, 1.0) for shared in all_overlaps(text, text).values())


def test_the_harmonic_mean_of_zeros_is_zero() -> None:
    assert [harmonic(0, 0), harmonic(1, 0), harmonic(0.5, 1)] == pytest.approx([0, 0, 2 / 3])
