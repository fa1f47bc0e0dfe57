"""Code and embedded posts, which are read as part of the body around them."""

import numpy as np
import pytest

from broadsheet.document import parse
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.lines.set_off_text import CODE, LINES_BEHIND, POST, POST_NAMES, raise_set_off


def raised(html: str, probabilities: list[float]) -> list[float]:
    document = parse(html)
    found = raise_set_off(document, find_lines(document), np.array(probabilities, np.float32))
    return [round(each, 2) for each in found.tolist()]


def post(name: str = "twitter-tweet") -> str:
    return f'<blockquote class="{name} large"><p>What a storm!</p>— A reader</blockquote>'


def test_code_between_lines_of_the_body_is_likelier_body() -> None:
    html = "<pre>menu</pre><p>One line of text.</p><pre>git init</pre><p>Another line.</p><pre>end</pre>"

    assert raised(html, [0.1, 0.9, 0.1, 0.9, 0.1]) == [0.1, 0.9, round(float(CODE), 2), 0.9, 0.1]


@pytest.mark.parametrize("name", sorted(POST_NAMES))
def test_a_post_between_lines_of_the_body_is_body(name: str) -> None:
    html = f"<p>One line of text.</p>{post(name)}<p>Another line.</p>"

    assert raised(html, [0.95, 0.05, 0.05, 0.95]) == [0.95, round(float(POST), 2), round(float(POST), 2), 0.95]


def test_any_other_quotation_is_left_to_the_nets() -> None:
    html = f"<p>One line of text.</p>{post('pullquote')}<p>Another line.</p>"

    assert raised(html, [0.95, 0.05, 0.05, 0.95]) == [0.95, 0.05, 0.05, 0.95]


def test_an_article_may_end_with_posts() -> None:
    html = f"<p>One line of text.</p>{post()}{post()}<p>Related stories</p>"

    assert raised(html, [0.95, 0.05, 0.05, 0.05, 0.05, 0.1]) == [0.95, *[round(float(POST), 2)] * 4, 0.1]


def test_posts_before_the_body_or_far_behind_it_are_not_part_of_it() -> None:
    between = "<p>Teaser</p>" * LINES_BEHIND
    html = f"{post()}<p>One line of text.</p>{between}{post()}"
    probabilities = [0.05, 0.05, 0.95, *[0.1] * LINES_BEHIND, 0.05, 0.05]

    assert raised(html, probabilities) == probabilities


def test_a_page_without_a_body_is_left_as_it_is() -> None:
    assert raised(post() + "<pre>git init</pre>", [0.1, 0.1, 0.1]) == [0.1, 0.1, 0.1]
