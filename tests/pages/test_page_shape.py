import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.document import Document
from broadsheet.pages._page_shape import COMPILED, COUNTED, HEADLINE, PARAGRAPH, SHAPE, shape
from broadsheet.pages._shape_measures import measure_shape
from broadsheet.pages.content import longest_text

SENTENCE = "The harbour bridge was opened to all traffic on Monday, three months later than had been planned."
HEADLINES = [f"<h2><a href='/news/a-{n}-b-c-d-e'>Minister {n} resigns after long debate</a></h2>" for n in range(6)]
PARTS = [
    "<p>",
    "</p>",
    "<a href=/a-b-c-d-e>",
    "</a>",
    "<h1>",
    "</h1>",
    "<h2>",
    "</h2>",
    "<div>",
    "</div>",
    "<li>",
    "<br>",
]


def named(page: str) -> dict[str, float]:
    return dict(zip(SHAPE, shape(broadsheet.parse(page)), strict=True))


def lines(document: Document) -> list[tuple[int, int, int, int]]:
    """Words, words outside links, characters and characters in links of every line, computed slowly."""
    words, characters = np.diff(document.sums.words).tolist(), np.diff(document.sums.characters).tolist()
    totals: dict[int, list[int]] = {}
    for piece, line in enumerate(document.pieces.line.tolist()):
        in_link = document.pieces.link[piece] >= 0
        sums = totals.setdefault(line, [0, 0, 0, 0])
        sums[0] += words[piece]
        sums[1] += 0 if in_link else words[piece]
        sums[2] += characters[piece]
        sums[3] += characters[piece] if in_link else 0
    return [(first, second, third, fourth) for first, second, third, fourth in totals.values()]


def test_uninterrupted_text_is_distinguished_from_teasers() -> None:
    article = named(f"<p>{SENTENCE}</p>" * 12)
    teasers = named("".join(f"{headline}<p>{SENTENCE}</p>" for headline in HEADLINES))

    assert article["run_words"] == article["words"] == 12 * 17
    assert article["teasers"] == 0
    assert teasers["run_words"] == 17
    assert teasers["teasers"] == 6


def test_what_follows_the_main_heading_is_measured_as_far_as_its_paragraphs_go() -> None:
    links = "<li><a href=/x>More about the harbour bridge</a></li>" * 8
    page = named(
        f"<nav><a href=/>Home</a></nav><h1>Bridge opens</h1><p>2 March 2026</p><p><a href=/s>Share</a></p>"
        f"<p>{SENTENCE}</p><p>{SENTENCE}</p><ul>{links}</ul><p>{SENTENCE}</p>"
    )

    assert (page["date_after_h1"], page["lines_after_h1"]) == (0, 2)
    assert (page["links_after_h1"], page["dates_after_h1"]) == (1, 1)
    assert page["opening_words"] == 2 * 17
    assert page["opening_share"] == pytest.approx(2 * 17 / (3 * 17 + 5))


def test_without_a_main_heading_nothing_follows_it() -> None:
    page = named(f"<p>{SENTENCE}</p>")

    assert {page[name] for name in ("date_after_h1", "lines_after_h1", "opening_words", "h1_end")} == {-1}


def test_the_main_element_is_the_smallest_with_most_of_the_paragraphs() -> None:
    menu = "<ul>" + "<li><a href=/x>Politics</a></li>" * 20 + "</ul>"

    page = named(f"<body>{menu}<article><h1>Bridge</h1>{f'<p>{SENTENCE}</p>' * 5}</article></body>")

    assert page["links"] == 20
    assert page["main_links"] == 0
    assert page["main_words"] == 5 * 17 + 1
    assert page["main_headings"] == 1


def test_links_are_counted_by_text_and_target() -> None:
    page = named("".join(HEADLINES) + "<a href='#top'>Top</a><a href=/x><img src=/i.png></a>")

    assert page["links"] == 8
    assert page["headline_links"] == page["slug_links"] == 6
    assert page["fragment_links"] == 1
    assert page["empty_links"] == 1 / 8


def test_quotation_marks_and_money_are_counted_in_every_script() -> None:
    page = named("<p>„Ja“ «oui» 「はい」 € £ ¥ $ ? ？</p>")

    assert page["quotes"] * page["words"] == pytest.approx(6)
    assert page["money"] * page["words"] == pytest.approx(4)
    assert page["questions"] * page["words"] == pytest.approx(2)


def test_an_empty_page_has_a_shape() -> None:
    assert np.isfinite(shape(broadsheet.parse(""))).all()


@given(st.lists(st.one_of(st.sampled_from(PARTS), st.just(SENTENCE), st.text("ab 1", max_size=40)), max_size=50))
def test_the_compiled_pass_agrees_with_slow_code(parts: list[str]) -> None:
    document = broadsheet.parse("".join(parts))
    measured = dict(zip(SHAPE, shape(document), strict=True))
    expected = lines(document)
    anchors = [int(document.total(document.sums.words)[node]) for node in document.hrefs.node]
    best = most = 0
    for _, _, characters, in_link in expected:
        best = max(best - characters, 0) if 2 * in_link > characters else best + characters
        most = max(most, best)

    assert measured["words"] == sum(line[0] for line in expected)
    assert measured["paragraphs"] == sum(line[1] >= PARAGRAPH for line in expected)
    assert measured["headline_links"] == sum(words >= HEADLINE for words in anchors)
    assert measured["mss"] == most
    assert measured["longest_text"] == longest_text(document)
    assert measured["anchor_spread"] == pytest.approx(np.std(anchors) if anchors else 0, abs=1e-3)
    assert {name: measured[name] for name in COUNTED} == {
        name: len(document.rows(tag)) for name, tag in COUNTED.items()
    }


@pytest.mark.parametrize(("features", "counts"), [(-1, 0), (1, 0), (0, -1), (0, 1)])
def test_rows_for_fewer_or_more_features_than_are_measured_are_refused(features: int, counts: int) -> None:
    columns, rows = broadsheet.parse("<p>Text</p>").columns, np.zeros(200, np.float32)

    with pytest.raises(ValueError, match="the features of a shape are"):
        measure_shape(columns, bytes(200), (1,), 15, 40, 5, 15, rows[: len(COMPILED) + features], rows[: 1 + counts])
