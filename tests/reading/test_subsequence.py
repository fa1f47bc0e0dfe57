import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import Document, parse
from broadsheet.reading.subsequence import read, run
from tests.document.html import MARKUP
from tests.reading.test_coreex import WORKED


def texts(document: Document, pieces: np.ndarray) -> list[str]:
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(pieces).tolist()]


def test_the_worked_tree_has_segments_of_5_27_and_33_characters() -> None:
    result = run(parse(WORKED), exact=True)

    assert result.segments.length.tolist() == [5, 27, 33]
    assert result.segments.value.tolist() == [5, 27, 33]
    assert result.best is not None
    assert (result.best.start, result.best.end, result.best.total) == (0, 3, 65)


def test_a_break_divides_a_segment_and_an_inline_element_does_not() -> None:
    result = run(parse("<p>One<br>two <b>three</b> four<hr>five</p>"), exact=True)

    assert result.segments.length.tolist() == [3, 12, 4]


def test_a_segment_of_links_scores_negatively() -> None:
    result = run(parse("<p>One two three</p><p><a href=x>four</a> 5</p>"), exact=True)

    assert result.segments.value.tolist() == [13, -5]


def test_a_heading_of_another_size_scores_negatively() -> None:
    result = run(parse("<h1>Title</h1><p>One two three four</p>"), exact=True)

    assert result.segments.value.tolist() == [-5, 18]


def test_the_font_element_changes_size_and_colour() -> None:
    page = "<p>One two three four five</p><p><font size=+2>large</font></p><p><font color=#F00>red text</font></p>"

    result = run(parse(page), exact=True)

    assert result.segments.value.tolist() == [23, -5, -8]


def test_style_sheets_are_used_on_request() -> None:
    page = "<style>.t{font-size:9px}</style><p>One two three four</p><p class=t>tiny</p><p>Five</p>"
    document = parse(page)

    by_tags, by_sheets = run(document, exact=True), run(document, exact=True, styles=True)

    assert by_tags.segments.value.tolist() == [18, 4, 4]
    assert by_sheets.segments.value.tolist() == [18, -4, 4]


def test_segments_between_good_ones_belong_to_the_run() -> None:
    page = "<p>A long first paragraph of text.</p><h2>Heading</h2><p>A long second paragraph of text.</p>"
    document = parse(page)

    assert "Heading" in texts(document, run(document, exact=True).pieces)


def test_a_page_without_a_positive_segment_has_no_article() -> None:
    document = parse("<p><a href=1>One link</a></p><p><a href=2>Another link</a></p>")

    result = run(document, exact=True)

    assert result.best is None
    assert not result.pieces.any()


@given(MARKUP, st.booleans(), st.booleans())
def test_any_page_gets_a_label_for_every_piece(markup: str, exact: bool, styles: bool) -> None:
    document = parse(markup)

    assert len(read(document, exact=exact, styles=styles).labels) == len(document.pieces)


@given(MARKUP)
def test_the_segments_contain_all_characters_of_the_page(markup: str) -> None:
    document = parse(markup)
    in_head = sum(
        int(document.sums.characters[document.nodes.piece_end[row]] - document.sums.characters[start])
        for row in document.rows("head")
        for start in [document.nodes.piece_start[row]]
    )

    result = run(document, exact=True)

    assert result.segments.length.sum() == document.sums.characters[-1] - in_head
