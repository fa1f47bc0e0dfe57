import numpy as np
from hypothesis import given

from broadsheet.document import parse
from broadsheet.reading.text_lines import find_text_lines, line_slices
from tests.document.html import MARKUP


def test_lines_are_text_without_a_line_break() -> None:
    document = parse("<head><title>No line</title></head><p>One <b>two</b></p><p>three<br><a href=/x>four</a></p>")

    lines = find_text_lines(document)

    assert lines.words.tolist() == [2, 1, 1]
    assert lines.links.tolist() == [0, 0, 1]
    assert [document.tag_name(int(block)) for block in lines.block] == ["p", "p", "p"]


def test_slices_are_those_of_the_lines() -> None:
    document = parse("<head><title>No line</title></head><p>One <b>two</b></p><p>three<br><a href=/x>four</a></p>")

    first, end = line_slices(document)

    assert (first.tolist(), end.tolist()) == ([1, 3, 4], [3, 4, 5])


def test_a_page_without_text_has_no_lines() -> None:
    assert len(find_text_lines(parse("<img>"))) == 0


@given(MARKUP)
def test_lines_are_ordered_disjoint_slices(page: str) -> None:
    lines = find_text_lines(parse(page))

    assert (lines.first < lines.end).all()
    assert (lines.end[:-1] <= lines.first[1:]).all()
    assert ((lines.links >= 0) & (lines.links <= 1)).all()
    assert np.isfinite(lines.links).all()


def test_without_a_body_tag_the_head_ends_at_the_first_text() -> None:
    document = parse("<title>Title</title><main><p>One</p></main>")

    first, end = line_slices(document)

    assert [document.piece_text(piece) for piece in range(int(first[0]), int(end[-1]))] == ["One"]
