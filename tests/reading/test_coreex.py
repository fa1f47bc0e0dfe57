import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.document import Document, parse
from broadsheet.reading import coreex
from broadsheet.reading.coreex import PUBLISHED, count, find, ignored_nodes, read, run, score
from tests.document.html import MARKUP

#: The tree that the papers work through.
WORKED = (
    "<body>Note:<p>A paragraph<a href=x>with a link</a>in it</p>"
    "<div><span>some<em>emphatic words</em>here.</span><span>More words</span></div></body>"
)


def scores_by_tag(document: Document) -> dict[str, float]:
    counts = count(document, ignored_nodes(document, 0.5), PUBLISHED.threshold)
    scores = score(document, counts, PUBLISHED)
    return {document.tag_name(row): float(scores[row]) for row in reversed(range(len(scores)))}


def texts(document: Document, pieces: np.ndarray) -> list[str]:
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(pieces).tolist()]


def test_the_worked_tree_is_scored_by_the_formula() -> None:
    scores = scores_by_tag(parse(WORKED))

    assert scores["p"] == pytest.approx(0.9933, abs=5e-5)
    assert scores["em"] == pytest.approx(0.9917, abs=5e-5)
    assert scores["span"] == pytest.approx(0.9933, abs=5e-5)
    assert scores["div"] == pytest.approx(0.9950, abs=5e-5)
    assert scores["body"] == pytest.approx(0.9958, abs=5e-5)
    assert scores["a"] == 0


def test_the_worked_page_has_twelve_words_of_text() -> None:
    document = parse(WORKED)

    counts = count(document, ignored_nodes(document, 0.5), PUBLISHED.threshold)

    assert counts.text[0] == 12
    assert counts.links[0] == 1


def test_the_main_content_node_is_the_body_and_its_set_leaves_the_paragraph_with_a_link_out() -> None:
    document = parse(WORKED)

    result = run(document, exact=True)

    assert result.tag == "body"
    assert result.set_tag == "#text"
    assert texts(document, result.pieces) == ["Note:", "some", "emphatic words", "here.", "More words"]


def test_ties_go_to_the_higher_node() -> None:
    result = run(parse("<body><div><section><p>One two three.</p></section></div></body>"), exact=True)

    assert result.tag == "body"


def test_ties_between_siblings_go_to_the_first() -> None:
    links = "<a href=x>x</a>" * 5
    document = parse(f"<body>{links}<div id=1>one two three four</div>{links}<div id=2>five six seven eight</div>")

    result = find(document, ignored_nodes(document, 0.5), coreex.CoreExParameters(weight_ratio=1.0, weight_text=0.0))

    # Without any weight on text the body scores the same as both, and is higher.
    assert result.tag == "body"
    inner = parse(f"<body><ul>{links}<li><p>one two</p>{links}</li><li><p>six ten</p>{links}</li></ul></body>")
    first = find(inner, ignored_nodes(inner, 0.5), PUBLISHED)
    assert first.node is not None
    assert inner.path(first.node).endswith("li[1]")


def test_a_child_at_the_threshold_is_not_in_the_set() -> None:
    nine_words = "<p>one two three four five six seven eight nine <a href=x>a whole link is one word</a></p>"
    ten_words = nine_words.replace("nine", "nine ten")
    document = parse(f"<body>{nine_words}{ten_words}</body>")

    counts = count(document, ignored_nodes(document, 0.5), 0.9)

    assert counts.in_set[document.rows("p")].tolist() == [False, True]


def test_a_link_within_a_link_is_one_link() -> None:
    document = parse("<body><object><a href=1>one<object><a href=2>two</a></object></a></object></body>")

    counts = count(document, ignored_nodes(document, 0.5), 0.9)

    assert counts.links[0] == len(document.rows("a")) - sum(
        document.nodes.parent[row] >= 0 and any(a < row < document.nodes.end[a] for a in document.rows("a"))
        for row in document.rows("a")
    )


@pytest.mark.parametrize("tag", ["select", "form", "textarea", "script"])
def test_ignored_elements_lose_their_contents(tag: str) -> None:
    document = parse(f"<body><p>One two three four five six.</p><{tag}>seven eight</{tag}></body>")

    result = run(document, exact=True)

    assert texts(document, result.pieces) == ["One two three four five six."]


def test_a_form_that_wraps_the_page_is_not_ignored() -> None:
    document = parse("<body>Top<form><p>One two three four.</p><p>Five six.</p></form></body>")

    result = run(document, exact=True)

    assert "One two three four." in texts(document, result.pieces)


def test_the_title_in_the_head_is_not_content() -> None:
    document = parse("<head><title>A title of words</title></head><body><p>One two.</p></body>")

    assert texts(document, run(document, exact=True).pieces) == ["One two."]


def test_a_page_of_only_links_has_no_main_content() -> None:
    result = run(parse("<body><a href=1>one</a> <a href=2>two</a></body>"), exact=True)

    assert result.node is None
    assert result.score == 0


def test_the_paper_prefers_a_line_without_links_and_the_default_prefers_the_article() -> None:
    story = "".join(f"<p>{'word ' * 30}<a href=/{n}>more</a> and so on.</p>" for n in range(5))
    document = parse(f"<body><main>{story}</main><ul><li><a href=/>x</a></li></ul><p id=c>All rights reserved.</p>")

    exact, default = read(document, exact=True), read(document)

    assert int((default.labels == Label.BODY).sum()) > 5
    assert exact.scores.max() >= default.scores.max()


@given(MARKUP)
def test_any_page_gets_counts_that_add_up(markup: str) -> None:
    document = parse(markup)
    ignored = ignored_nodes(document, 0.5)

    counts = count(document, ignored, 0.9)
    scores = score(document, counts, PUBLISHED)

    assert (counts.links <= counts.text).all()
    assert (counts.set_text <= counts.text).all()
    assert (counts.set_links <= counts.set_text).all()
    assert ((scores >= 0) & (scores <= 1)).all()


@given(MARKUP, st.booleans())
def test_any_page_gets_a_label_for_every_piece(markup: str, exact: bool) -> None:
    document = parse(markup)

    reading = read(document, exact=exact)

    assert len(reading.labels) == len(document.pieces)
