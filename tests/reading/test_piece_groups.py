"""What pieces of text have in common: like elements, named elements, and the run of votes."""

import numpy as np

import broadsheet
from broadsheet.document import Document
from broadsheet.reading._piece_groups import GROUP_COLUMNS, group_columns

BODY = 3


def column(document: Document, name: str, body: list[float]) -> list[float]:
    """One column, given the votes for body; the other votes are for garbage."""
    votes = np.zeros((len(document.pieces), 4), np.float32)
    votes[:, BODY] = body
    votes[:, 0] = 1 - votes[:, BODY]
    return [round(value, 3) for value in group_columns(document, votes)[:, GROUP_COLUMNS.index(name)].tolist()]


def test_pieces_of_like_elements_share_their_votes() -> None:
    page = broadsheet.parse("<div class=text><p>aaaa</p><p>bbbb</p></div><div class=reply><p>cccc</p><p>dddd</p></div>")

    votes = [1.0, 0.5, 0.2, 0.0]

    assert column(page, "votes for body in elements with like tags", votes) == [0.425] * 4
    assert column(page, "votes for body in elements with like classes", votes) == [0.75, 0.75, 0.1, 0.1]


def test_the_number_at_the_end_of_a_class_makes_no_difference() -> None:
    page = broadsheet.parse("<div class=reply1><p>aaaa</p></div><div class=reply2><p>bbbb</p></div>")

    assert column(page, "votes for body in elements with like classes", [1.0, 0.0]) == [0.5, 0.5]


def test_the_run_of_votes_is_the_best_row_of_lines_and_others_know_how_far_it_is() -> None:
    page = broadsheet.parse("<p>Menu</p><p>A long text.</p><p>Aside</p><p>And on it goes.</p><p>End</p><p>Foot</p>")
    votes = [0.0, 1.0, 0.1, 1.0, 0.0, 0.0]

    assert column(page, "in the run of votes", votes) == [0, 1, 1, 1, 0, 0]
    assert column(page, "pieces to the run of votes", votes) == [1, 0, 0, 0, -1, -2]


def test_without_votes_there_is_no_run() -> None:
    page = broadsheet.parse("<p>Menu</p><p>Text</p>")

    assert column(page, "in the run of votes", [0.0, 0.0]) == [0, 0]


def test_elements_are_known_by_their_names_but_not_the_whole_page() -> None:
    page = broadsheet.parse("<body class=has-comments><p>aaaaaa</p><div id=userComments><p>bb</p></div></body>")

    assert column(page, "inside an element named comments", [0, 0]) == [0, 1]
    assert column(page, "share of text in an element named comments", [0, 0]) == [0, 0.25]


def test_text_knows_the_kinds_of_elements_around_it() -> None:
    page = broadsheet.parse("<article><p>aaaa</p><ul><li>bbbb</li></ul></article><p>cccc</p>")

    assert column(page, "in article", [0, 0, 0]) == [1, 1, 0]
    assert column(page, "in li", [0, 0, 0]) == [0, 1, 0]
