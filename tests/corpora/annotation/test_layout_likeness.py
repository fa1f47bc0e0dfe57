"""Which pages stand for others: layouts, their likeness, and the order in which pages cover the rest."""

import numpy as np
import pytest

from broadsheet.corpora.annotation.layout_likeness import covering_order, layout, likeness
from broadsheet.document import parse

TEXT = "The council met on Monday to discuss the new harbour, and decided after a long debate. "


def article(paragraphs: int) -> str:
    return f"<h1>Harbour</h1>{f'<p>{TEXT}</p>' * paragraphs}"


def table(rows: int) -> str:
    return f"<table>{'<tr><td><a href=/x>Link</a></td><td>1</td></tr>' * rows}</table>"


def test_pages_of_one_layout_are_more_alike_than_pages_of_different_ones() -> None:
    pages = [article(5), article(6), table(9), table(11)]

    alike = likeness([layout(parse(page)) for page in pages])

    assert np.diag(alike) == pytest.approx(1)
    assert alike == pytest.approx(alike.T)
    assert min(alike[0, 1], alike[2, 3]) > alike[:2, 2:].max()


def test_a_page_without_text_has_a_layout() -> None:
    assert layout(parse("<html></html>")).shape == layout(parse(article(1))).shape


def test_the_page_that_is_like_most_others_comes_first_and_then_one_that_it_is_not_like() -> None:
    alike = np.array([[1, 0.8, 0.8, 0, 0], [0.8, 1, 0, 0, 0], [0.8, 0, 1, 0, 0], [0, 0, 0, 1, 0.5], [0, 0, 0, 0.5, 1]])

    assert covering_order(alike, np.ones(5))[:2] == [0, 3]
    assert covering_order(alike, np.ones(5), covered=[0], most=1) == [3]
    assert sorted(covering_order(alike, np.ones(5))) == list(range(5))


def test_what_others_are_like_counts_by_their_weight() -> None:
    alike = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])

    assert covering_order(alike, np.array([1.0, 1.0, 9.0]))[0] == 2
