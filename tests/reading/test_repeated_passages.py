"""Passages that a page has twice are read once; repetitions that may be meant are kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import parse
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.lines.repeated_passages import MIN_WORDS, without_copies

FIRST = "The council met on Monday evening to talk about the harbour and its future once again. " * 3
SECOND = "Nobody could say what the new quay would cost, or when the first ship would come in. " * 3


def kept(paragraphs: list[str], chosen: list[bool] | None = None) -> list[bool]:
    document = parse("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))
    lines = find_lines(document)
    is_body = np.ones(len(lines), np.bool_) if chosen is None else np.array(chosen)
    return list(without_copies(document, lines, is_body).tolist())


def test_a_copy_of_the_article_is_left_out() -> None:
    assert kept([FIRST, SECOND, "And more.", FIRST, SECOND, "And more."]) == [True, True, True, False, False, False]


def test_every_further_copy_is_left_out() -> None:
    assert kept([FIRST, SECOND] * 4) == [True, True, *[False] * 6]


def test_a_copy_may_differ_in_white_space() -> None:
    assert kept([FIRST, SECOND, FIRST.replace(" ", "\n  "), SECOND]) == [True, True, False, False]


def test_a_single_line_may_be_repeated() -> None:
    assert all(kept([FIRST, SECOND, "An interlude.", FIRST, "The end."]))


def test_a_short_passage_may_be_repeated() -> None:
    refrain = ["Row, row, row your boat,", "gently down the stream."]

    assert all(kept([*refrain, FIRST, *refrain, SECOND, *refrain]))


def test_a_small_part_of_a_long_text_may_be_repeated() -> None:
    passage = ["Eat one hour before your workout " * 5, "Drink a glass of water after it " * 5]
    rest = [f"Day {number} {FIRST}" for number in range(20)]

    assert all(kept([*passage, *rest, *passage]))


def test_only_lines_of_the_body_count() -> None:
    chosen = [False, False, True, True]

    assert kept([FIRST, SECOND, FIRST, SECOND], chosen) == chosen


def test_passages_that_overlap_are_no_copies_of_each_other() -> None:
    line = "word " * MIN_WORDS

    assert kept([line, line]) == [True, True]


def test_a_line_that_stands_in_very_many_places_is_compared_with_few_of_them() -> None:
    assert all(kept(["a"] * 50_000))


@given(st.lists(st.sampled_from(["a " * 30, "b " * 30, "c", "d " * 60]), min_size=1, max_size=40))
def test_each_text_of_the_body_stays_at_least_once(paragraphs: list[str]) -> None:
    stay = {text for text, is_kept in zip(paragraphs, kept(paragraphs), strict=True) if is_kept}

    assert stay == set(paragraphs)
