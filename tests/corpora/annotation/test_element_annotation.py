"""Element-based annotation files: every text and tail of a page with the letter of a label."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.element_annotation import HraEntry, fit_hra, format_hra, parse_hra
from broadsheet.corpora.annotation.label_set import ARTICLE_LABELS
from broadsheet.document import parse
from tests.corpora.tiny import html

#: A piece of the file of a page of 2009, as its paper shows it.
PUBLISHED = """\
This year has been no exception: pilgrims have been attacked in Karbala itself
and in Baghdad, but this latest explosion has been the deadliest so far.
#285 <p> text b

Female militants
#287 <b> text h

Bookmark with:
#298 <h3> text g
"""

PAGE = parse(html())
LETTERS = "".join(random.Random(3).choice("thbdag") for _ in range(len(PAGE.pieces)))


def test_a_published_file_is_read_with_texts_over_several_lines() -> None:
    first, second, third = parse_hra(PUBLISHED)

    assert first.text.startswith("This year")
    assert first.text.endswith("itself and in Baghdad, but this latest explosion has been the deadliest so far.")
    assert (first.node, first.tag, first.slot, first.letter) == (285, "p", "text", "b")
    assert (second.text, second.node, second.letter) == ("Female militants", 287, "h")
    assert (third.tag, third.letter, third.line) == ("h3", "g", 9)


def test_a_file_has_an_entry_for_every_text_and_tail() -> None:
    page = parse("<p>One <b>two</b> three</p><!-- note --> four")

    assert format_hra(page, "btbg").split("\n\n") == [
        "One\n#2 <p> text b",
        "two\n#3 <b> text t",
        "three\n#3 <b> tail b",
        "four\n#4 <#comment> tail g",
        "",
    ]


def test_labels_come_back_as_they_were_written() -> None:
    assert fit_hra(parse_hra(format_hra(PAGE, LETTERS)), PAGE, ARTICLE_LABELS) == LETTERS


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="<>&"), max_size=30), max_size=6), st.randoms())
def test_any_text_comes_back(texts: list[str], chance: random.Random) -> None:
    page = parse(
        "<div>" + "".join(f"<p>#1 <!-- --> {text}</p>{text}\n#1 &lt;p&gt; text b" for text in texts) + "x</div>"
    )
    letters = "".join(chance.choice("thbdag") for _ in range(len(page.pieces)))

    assert fit_hra(parse_hra(format_hra(page, letters)), page, ARTICLE_LABELS) == letters


def test_a_text_that_looks_like_a_reference_is_text() -> None:
    page = parse("<p>#1 &lt;p&gt; text b</p>")

    assert parse_hra(format_hra(page, "h")) == [HraEntry("#1 <p> text b", 2, "p", "text", "h", 2)]


GOOD = format_hra(PAGE, LETTERS)
LINES = GOOD.split("\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no entry"),
        ("\0\1\2 nothing", "ends within an entry"),
        (GOOD[: len(GOOD) // 2].rsplit("\n#", 1)[0], "ends within an entry: "),
        ("\n".join(LINES[:12]), "texts of the page have no label, the first is #"),
        (GOOD.replace(LINES[1], LINES[1][:-1] + "z"), "line 2: the label 'z' is not one of t, h, b, d, a, g"),
        (GOOD.replace(LINES[0], "Another text", 1), "line 2: #2 <title> text of the page is 'Crane falls - The Cou"),
        (GOOD.replace("<title>", "<p>"), "line 2: element 2 of the page is <title>, not <p>"),
        (f"{GOOD}More\n#9999 <p> text b\n", "the page has no #9999 <p> text"),
        (GOOD + "\n".join(LINES[-4:]), "has a second label"),
    ],
)
def test_a_file_that_is_damaged_or_of_another_page_is_refused_in_one_line(content: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^[^\n]+$") as raised:
        fit_hra(parse_hra(content), PAGE, ARTICLE_LABELS)

    assert message in str(raised.value)
