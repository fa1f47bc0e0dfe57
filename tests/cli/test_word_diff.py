"""The shortest way from one text to another, in paragraphs and words."""

import time
from random import Random

from broadsheet.cli.word_diff import MAX_EDITS, MarkedText, compare_paragraphs, compare_words, edit_script


def test_words_that_differ_are_marked_with_their_space() -> None:
    assert compare_words("The mayor has resigned.", "The mayor has not resigned.") == (
        MarkedText("same", "The mayor has"),
        MarkedText("added", " not"),
        MarkedText("same", " resigned."),
    )


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert compare_words("東京は雨です", "東京は晴れです") == (
        MarkedText("same", "東京は"),
        MarkedText("removed", "雨"),
        MarkedText("added", "晴れ"),
        MarkedText("same", "です"),
    )


def test_what_was_removed_comes_before_what_was_added() -> None:
    marks = [piece.mark for piece in compare_words("a b c d e", "a x y z e")]

    assert marks == ["same", "removed", "added", "same"]


def test_an_edit_script_is_the_shortest_one() -> None:
    rng = Random(1)
    for _ in range(500):
        before, after = ([rng.choice("abcd") for _ in range(rng.randrange(10))] for _ in range(2))

        script = edit_script(before, after)

        assert [text for mark, text in script if mark != "added"] == before
        assert [text for mark, text in script if mark != "removed"] == after
        assert sum(mark == "same" for mark, _ in script) == longest_common(before, after)


def longest_common(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for first in one:
        diagonal = 0
        for place, second in enumerate(other):
            diagonal, row[place + 1] = (
                row[place + 1],
                diagonal + 1 if first == second else max(row[place], row[place + 1]),
            )
    return row[-1]


def test_paragraphs_are_kept_removed_added_or_changed() -> None:
    changes = compare_paragraphs(
        ["Same.", "The old bridge is closed today.", "Out."],
        ["Same.", "The old bridge is open today.", "New.", "Last."],
    )

    assert [(change.before is None, change.after is None, change.is_same) for change in changes] == [
        (False, False, True),
        (False, False, False),
        (False, True, False),
        (True, False, False),
        (True, False, False),
    ]
    assert (changes[1].words("removed"), changes[1].words("added")) == (1, 1)


def test_texts_that_differ_too_much_are_compared_as_wholes_and_at_once() -> None:
    rng = Random(2)
    before, after = ([str(rng.randrange(1_000)) for _ in range(20_000)] for _ in range(2))

    began = time.process_time()
    script = edit_script(before, after)

    assert time.process_time() - began < 5
    assert [mark for mark, _ in script] == ["removed"] * 20_000 + ["added"] * 20_000
    assert len(edit_script(before[:MAX_EDITS], before[: MAX_EDITS + 10])) == MAX_EDITS + 10
