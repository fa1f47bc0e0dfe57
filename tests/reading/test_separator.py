import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import Document, parse
from broadsheet.reading.separator import SeparatorResult, find, read
from broadsheet.reading.separator_parameters import SeparatorParameters
from tests.document.html import MARKUP

SMALL = SeparatorParameters(
    alpha_1=10, alpha_2=60, beta_1=0.3, beta_2=60, beta_3=30, beta_4=0.4, beta_5=2, beta_6=0.8
)  # fmt: skip
LONG = "This is a paragraph of an article that is long enough."
OTHER = "Quite another one, which speaks of ships and of harbours."
MENU = "<ul><li><a href=/1>One section here</a></li><li><a href=/2>Another one there</a></li></ul>"


def run_on(page: str, parameters: SeparatorParameters = SMALL) -> tuple[Document, SeparatorResult]:
    document = parse(page)
    return document, find(document, np.zeros(len(document.pieces), np.bool_), parameters)


def texts(document: Document, result: SeparatorResult) -> list[str]:
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(result.pieces).tolist()]


def test_the_separator_is_the_closest_ancestor_with_enough_text() -> None:
    document, result = run_on(f"<div>{MENU}</div><div id=s><p>{LONG}</p><p>{OTHER}</p></div>")

    assert result.node is not None
    assert document.element(result.node).get("id") == "s"
    assert texts(document, result) == [LONG, OTHER]


def test_a_paragraph_is_not_the_separator() -> None:
    document, result = run_on(f"<div><p>{LONG} {OTHER}</p></div>")

    assert result.node is not None
    assert document.tag_name(result.node) == "div"


def test_a_node_with_two_rival_siblings_is_not_the_separator() -> None:
    column = f"<div>{LONG} {OTHER}</div>"
    pair, two = run_on(f"<body><main>{column}{column}</main></body>")
    triple, three = run_on(f"<body><main>{column}{column}{column}</main></body>")

    assert pair.tag_name(two.node or 0) == "div"
    assert triple.tag_name(three.node or 0) == "main"


def test_a_sibling_of_links_is_not_a_rival() -> None:
    menu = f"<div>{MENU}</div>"
    document, result = run_on(f"<body><main><div>{LONG} {OTHER}</div>{menu}{menu}{menu}</main></body>")

    assert result.node is not None
    assert document.tag_name(result.node) == "div"


def test_children_dense_in_links_are_left_out() -> None:
    document, result = run_on(f"<div><p>{LONG}</p>{MENU}<p>{OTHER}</p></div>")

    assert texts(document, result) == [LONG, OTHER]


def test_without_a_long_text_the_whole_page_is_relevant() -> None:
    document, result = run_on("<p>Short.</p><p>Shorter.</p>")

    assert result.node is None
    assert texts(document, result) == ["Short.", "Shorter."]


COMMENTS = "".join(f"<li>{name} wrote on 3 May 2026 at noon</li>" for name in ("Ann", "Bob", "Cat"))


def test_similar_neighbours_are_cut_off_with_everything_after_them() -> None:
    story = f"<p>{LONG} {LONG}</p><p>{OTHER} {OTHER}</p>"
    document, result = run_on(f"<body><div>{story}<ul><li>How they saw it:</li>{COMMENTS}</ul><p>The end.</p></div>")

    assert texts(document, result) == [f"{LONG} {LONG}", f"{OTHER} {OTHER}"]


def test_comments_that_share_an_ancestor_with_the_body_are_cut_at_the_first() -> None:
    comments = COMMENTS.replace("li>", "div>")
    document, result = run_on(f"<body><div><p>{LONG} {LONG}</p><p>Said.</p>{comments}<p>The end.</p></div>")

    assert texts(document, result) == [f"{LONG} {LONG}", "Said."]


def test_two_similar_neighbours_are_not_a_comment_section() -> None:
    two = COMMENTS[: COMMENTS.rindex("<li>")]
    _, result = run_on(f"<body><div><p>{LONG} {LONG}</p><ul>{two}</ul></div>")

    assert result.cut is None


def test_pairs_beyond_the_cap_are_not_compared() -> None:
    page = f"<body><div><p>{LONG} {LONG}</p><ul>{COMMENTS}</ul></div>"
    capped = SeparatorParameters(**{name: getattr(SMALL, name) for name in SMALL.__slots__} | {"most_pairs": 0})

    assert run_on(page)[1].cut is not None
    assert run_on(page, capped)[1].cut is None


@pytest.mark.parametrize("page", ["", "<frameset><frame src=x></frameset>", "<p></p>"])
def test_a_page_without_text_has_nothing_relevant(page: str) -> None:
    assert not read(parse(page)).labels.any()


@given(MARKUP, st.booleans())
def test_any_page_gets_a_label_for_every_piece(markup: str, exact: bool) -> None:
    document = parse(markup)

    assert len(read(document, exact=exact).labels) == len(document.pieces)


@given(MARKUP)
def test_any_page_can_be_searched_with_small_parameters(markup: str) -> None:
    tiny = SeparatorParameters(alpha_1=1, alpha_2=8, beta_1=0.9, beta_2=2, beta_3=2, beta_4=0.5, beta_5=3, beta_6=0.5)
    document = parse(markup)

    result = find(document, np.zeros(len(document.pieces), np.bool_), tiny)

    assert len(result.pieces) == len(document.pieces)
    assert result.cut is None or not result.pieces[result.cut :].any()
