"""The 41 features, shown on the published example and on small pages."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import Label
from broadsheet.document import Document
from broadsheet.document.columns import TAIL_SLOT
from broadsheet.reading.double_tags import DOUBLE_TAGS, join_tags, piece_labels, slot_labels, split_tags
from broadsheet.reading.element_features import FEATURES, LENGTH_COLUMNS, element_features

#: The published piece of an instance file: eleven elements, each with its five neighbours on either side.
PUBLISHED_TAGS = "# # # p b p p p # p p b p # div tr td div img # p".split()
PUBLISHED_PAGE = (
    "<!-- --><!-- --><!-- --><p><b></b></p><p></p><p></p><p></p><!-- --><p></p><p><b></b></p><p></p><!-- -->"
    "<div><tr><td><div><img></div></td></tr></div><!-- --><p></p>"
)


def parse(body: str) -> Document:
    return broadsheet.parse(f"<html><body>{body}</body></html>")


def row_of(document: Document, tag: str, column: str) -> list[str]:
    features = element_features(document)
    nodes = document.rows(tag).tolist()
    return [
        row[FEATURES.index(column)]
        for node, row in zip(features.nodes.tolist(), features.symbols(), strict=True)
        if node in nodes
    ]


def test_there_are_41_features_in_the_published_order() -> None:
    assert len(FEATURES) == 41
    assert FEATURES[5] == "tag"
    assert FEATURES[14] == "text_length"
    assert FEATURES[21] == "tail_length"
    assert FEATURES[25:27] == ("text_upper", "tail_upper")
    assert FEATURES[30] == "text_end_mark"
    assert FEATURES[37] == "tail_end_mark"
    assert FEATURES[LENGTH_COLUMNS] == FEATURES[11:25]


def test_the_published_instances_have_the_tags_of_their_neighbours() -> None:
    features = element_features(parse(PUBLISHED_PAGE))
    tags = [row[:11] for row in features.symbols()]

    first = next(number for number, row in enumerate(tags) if row == PUBLISHED_TAGS[:11])

    assert tags[first : first + 11] == [PUBLISHED_TAGS[start : start + 11] for start in range(11)]


def test_neighbours_outside_the_page_are_another_symbol_than_a_comment() -> None:
    features = element_features(broadsheet.parse("<p>One.</p><!-- two -->"))

    assert [row[:11] for row in features.symbols()] == [
        ["="] * 5 + ["html", "body", "p", "#", "=", "="],
        ["="] * 4 + ["html", "body", "p", "#", "=", "=", "="],
        ["="] * 3 + ["html", "body", "p", "#", "=", "=", "=", "="],
        ["="] * 2 + ["html", "body", "p", "#", "=", "=", "=", "=", "="],
    ]


def test_lengths_are_of_text_and_tail_after_white_space_is_collapsed() -> None:
    document = parse("<p>  One \n two <b>three</b>   four  </p>")

    assert row_of(document, "p", "text_length") == ["7"]
    assert row_of(document, "p", "text_length+1") == ["5"]
    assert row_of(document, "p", "tail_length+1") == ["4"]
    assert row_of(document, "b", "tail_length") == ["4"]
    assert row_of(document, "b", "text_length-1") == ["7"]


@pytest.mark.parametrize(("text", "flag"), [("ABCDEFGHij", "1"), ("ABCDEFGhij", "0"), ("123", "0"), ("", "0")])
def test_a_text_is_in_upper_case_if_more_than_70_percent_of_its_letters_are(text: str, flag: str) -> None:
    assert row_of(parse(f"<p>{text}</p>"), "p", "text_upper") == [flag]


@pytest.mark.parametrize("text", ["End.", "End?", "End! ", 'He said "end"', "终。", "ختم؟", "अंत।", "Ende.«"])
def test_marks_that_end_a_sentence_or_a_quotation_count_in_every_script(text: str) -> None:
    assert row_of(parse(f"<p>{text}</p>"), "p", "text_end_mark") == ["1"]


@pytest.mark.parametrize("text", ["No mark", "A list:", "(bracket)", ""])
def test_a_text_without_an_end_mark_has_none(text: str) -> None:
    assert row_of(parse(f"<p>{text}</p>"), "p", "text_end_mark") == ["0"]


def test_scripts_and_styles_are_left_out_unless_text_follows_them() -> None:
    document = parse("<div><script>var x;</script><style>p{}</style><p>Text.</p></div><script></script>After.")

    tags = [row[5] for row in element_features(document).symbols()]

    assert tags == ["html", "body", "div", "p", "script"]


def test_the_tail_of_a_comment_has_its_length_and_its_label() -> None:
    document = parse("<p>One.<!-- note -->Two two.</p>")
    features = element_features(document)
    labels = np.full(len(document.pieces), Label.BODY, np.int8)

    tags = [DOUBLE_TAGS[code] for code in join_tags(slot_labels(document, features.nodes, labels))]

    assert tags == ["g+g", "g+g", "b+g", "g+b"]
    assert features.symbols()[3][FEATURES.index("tail_length")] == "8"


def test_dates_and_authors_are_garbage_in_a_double_tag() -> None:
    by_slot = np.array([[Label.DATE, Label.BODY], [Label.TITLE, Label.AUTHOR]], np.int8)

    assert [DOUBLE_TAGS[code] for code in join_tags(by_slot)] == ["g+b", "t+g"]


PARTS = st.sampled_from(["<p>", "</p>", "<b>", "</b>", "<!-- c -->", "words", " ", "<br>", "<script>x</script>", "<a>"])


@given(st.lists(PARTS, max_size=30), st.randoms(use_true_random=False))
def test_labels_of_pieces_survive_the_way_through_double_tags(parts: list[str], random: Random) -> None:
    document = parse("".join(parts))
    choices = [Label.GARBAGE, Label.TITLE, Label.HEADING, Label.BODY]
    labels = np.array([random.choice(choices) for _ in range(len(document.pieces))], np.int8)
    features = element_features(document)

    codes = join_tags(slot_labels(document, features.nodes, labels))
    back = piece_labels(document, features.nodes, split_tags(codes))

    assert back.tolist() == labels.tolist()
    assert features.values.shape == (len(features.nodes), 41)


def test_every_text_piece_belongs_to_an_element_that_is_described() -> None:
    document = parse("<script></script>one<style></style>two<p>three</p>four")

    owners = set(document.pieces.owner[document.pieces.slot == TAIL_SLOT].tolist())

    assert owners <= set(element_features(document).nodes.tolist())
