"""Copies of one text are recognised however they were edited, in any script, and different texts are not."""

import random

import pytest

from broadsheet.reading import likeness

SENTENCES = [
    f"On day {number} the council of town {number * 7} decided that bridge {number * 3} was to be closed for repairs."
    for number in range(60)
]


def story(first: int, last: int) -> str:
    return " ".join(SENTENCES[first:last])


def alike(one: str, other: str) -> likeness.Likeness:
    return likeness.compare(likeness.sketch(one), likeness.sketch(other))


def test_case_punctuation_and_quotes_make_no_difference() -> None:
    one = 'He said: "We can\'t wait" - and left the room, as the minutes of the meeting of 3.5 hours show. ' * 2

    found = alike(one + story(0, 5), one.upper().replace('"', "“").replace("'", "’") + story(0, 5))

    assert found.resemblance == 1.0


def test_a_shortened_copy_is_contained_in_the_whole_text() -> None:
    found = alike(story(0, 60), story(0, 18))

    assert found.containment > 0.95
    assert found.resemblance < likeness.RESEMBLANCE
    assert found.is_near_duplicate(shares_site=False)


def test_the_order_of_paragraphs_matters_little() -> None:
    shuffled = random.Random(1).sample(SENTENCES, len(SENTENCES))

    assert alike(" ".join(SENTENCES), " ".join(shuffled)).is_near_duplicate(shares_site=True)


def test_different_texts_share_nothing() -> None:
    assert alike(story(0, 30), story(30, 60)).containment < 0.5
    assert not alike(story(0, 30), story(30, 60)).is_near_duplicate(shares_site=False)


def test_more_has_to_be_shared_on_one_site_where_boilerplate_is() -> None:
    found = likeness.Likeness(shared=75, one=100, other=150)

    assert found.is_near_duplicate(shares_site=False)
    assert not found.is_near_duplicate(shares_site=True)


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    one = "".join(chr(0x4E00 + number * 37 % 5000) for number in range(300))

    assert alike(one, one[:150]).is_near_duplicate(shares_site=True)
    assert alike(one, one[::-1]).shared == 0


@pytest.mark.parametrize("text", ["", "Too short.", " ".join(["word"] * 10_000), "\u00ad" * 100, "\ud800 a b c d e"])
def test_a_text_that_says_too_little_has_no_sketch(text: str) -> None:
    assert likeness.sketch(text) == b""


def test_a_sketch_is_bounded_sorted_and_distinct() -> None:
    hashes = likeness.first_hashes(likeness.sketch(story(0, 60)), likeness.SIZE)

    assert len(hashes) == likeness.SIZE
    assert hashes == sorted(set(hashes))


def test_sketches_estimate_what_all_shingles_say() -> None:
    shared = " ".join(f"a{number}" for number in range(4_000))
    own, others = (" ".join(f"{letter}{number}" for number in range(2_000)) for letter in "bc")

    found = alike(f"{shared} {own}", f"{shared} {others}")

    assert found.resemblance == pytest.approx(0.5, abs=0.15)
    assert found.containment == pytest.approx(2 / 3, abs=0.15)
