"""The trained reader on pages whose article is known."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.document import Document, parse
from broadsheet.models.model_errors import ModelError
from broadsheet.reading.assembly import has_body, to_article
from broadsheet.reading.lines.line_features import Rows
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import SHIPPED, WORDS, measured_lines
from broadsheet.reading.trained import MARGIN, NETS, Models, line_probabilities, load_models, read

if TYPE_CHECKING:
    from broadsheet.models.net import Net

_SENTENCE = "The council voted on Tuesday to keep the bridge open for another ten years, and nobody was against it. "


def _page(paragraphs: int = 8) -> str:
    body = "".join(f"<p>{_SENTENCE * 3}Paragraph {number}.</p>" for number in range(paragraphs))
    menu = "".join(f"<li><a href='/{number}'>Section {number}</a></li>" for number in range(12))
    return f"""<html><head><title>Bridge stays open</title></head><body>
        <nav class='main-menu'><ul>{menu}</ul></nav>
        <article class='post'><h1>Bridge stays open</h1><div class='entry-content'>{body}<h2>What now</h2>
        <p>{_SENTENCE * 2}</p></div></article>
        <div class='comments'><p>Great news, thanks.</p></div>
        <footer class='site-footer'>Copyright 2026, all rights reserved</footer></body></html>"""


def _labelled(document: Document, label: Label) -> list[str]:
    labels = read(document).labels
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(labels == label).tolist()]


def test_paragraphs_are_body_and_menus_are_not() -> None:
    body = " ".join(_labelled(parse(_page()), Label.BODY))

    assert body.count("Paragraph") == 8
    assert "Section 3" not in body
    assert "all rights reserved" not in body


def test_title_and_headings_have_their_own_labels() -> None:
    document = parse(_page())

    assert _labelled(document, Label.TITLE) == ["Bridge stays open"]
    assert _labelled(document, Label.HEADING) == ["What now"]


def test_the_reading_makes_an_article() -> None:
    document = parse(_page())

    article = to_article(document, read(document))

    assert article.title == "Bridge stays open"
    assert article.body.startswith("The council voted")


def test_scores_are_probabilities() -> None:
    scores = read(parse(_page())).scores

    assert scores.min() >= 0
    assert scores.max() <= 1


def test_body_scores_are_higher_than_those_of_a_menu() -> None:
    document = parse(_page())
    reading = read(document)
    in_links = document.pieces.link >= 0

    assert reading.scores[reading.labels == Label.BODY].min() > reading.scores[in_links].max()


def test_the_same_page_is_always_read_the_same() -> None:
    first, second = read(parse(_page())), read(parse(_page()))

    assert np.array_equal(first.labels, second.labels)
    assert np.array_equal(first.scores, second.scores)


@pytest.mark.parametrize("page", ["", "<html></html>", "<title>Only a title</title>", "<p> </p>", "<!-- nothing -->"])
def test_a_page_without_text_has_no_body(page: str) -> None:
    document = parse(page)

    assert not has_body(document, read(document))


@pytest.mark.parametrize("page", ["a", "<p>。</p>", "<p>\u00a0x</p>", "<div class='é-Ünï'>çà</div>", "<a href=x>y</a>"])
def test_nearly_empty_pages_are_read(page: str) -> None:
    document = parse(page)

    assert len(read(document).labels) == len(document.pieces)


_TAGS = st.sampled_from("p div li ul table tr td h1 h2 a span article figure br form noscript".split())
_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=40)
_MARKUP = st.lists(
    st.one_of(
        st.builds("<{}>".format, _TAGS),
        st.builds("</{}>".format, _TAGS),
        st.builds("<div class='{}'>".format, st.sampled_from(["comment", "navBar", "x_y-Z", "", "ÄÖ entry-content"])),
        _WORDS,
    ),
    max_size=30,
).map("".join)


@given(_MARKUP)
def test_every_piece_of_any_page_gets_a_label_and_a_score(page: str) -> None:
    document = parse(page)

    reading = read(document)

    assert len(reading.labels) == len(document.pieces)
    assert np.isfinite(reading.scores).all()


def test_a_page_of_one_long_text_and_one_of_many_links_are_read() -> None:
    for page in ("<p>" + _SENTENCE * 20_000, "<a href=/x>link</a> " * 30_000):
        document = parse(page)

        assert len(read(document).labels) == len(document.pieces)


def test_the_models_are_small() -> None:
    def size(*patterns: str) -> int:
        return sum(path.stat().st_size for pattern in patterns for path in SHIPPED.glob(pattern))

    assert size(WORDS, NETS) < 4_000_000
    assert size("*.npz") < 6_000_000, "with the models of the other readers"


def test_nets_trained_on_other_words_are_refused() -> None:
    models = load_models(SHIPPED)

    with pytest.raises(ModelError, match="other features or words"):
        Models(models.nets, Vocabulary.build(["one"], ["two"]))


def test_a_folder_without_models_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=str(tmp_path)):
        read(parse(_page()), models=tmp_path)


def test_further_nets_see_only_what_is_around_the_lines_that_the_first_finds_likely() -> None:
    models = load_models(SHIPPED)
    menu = "".join(f"<li><a href=/{number}>Department {number}</a></li>" for number in range(300))
    document = parse(f"<ul>{menu}</ul>{_page()}<ul>{menu}</ul>")
    lines, measured = measured_lines(document, models.vocabulary)
    article = slice(300, len(lines) - 300)

    alone, together = (line_probabilities(lines, measured, nets) for nets in (models.nets[:1], models.nets))

    assert (alone[article] >= 0.5).any()
    assert (together[article] != alone[article]).all()
    for far in (slice(300 - MARGIN), slice(len(lines) - 300 + MARGIN, None)):
        assert (together[far] == alone[far]).all()


@dataclass
class FixedNet:
    """A net that says the same of every line, and counts how often it is asked."""

    probability: float
    asked: int = 0

    def probabilities(self, rows: Rows, *_others: object) -> Rows:
        self.asked += 1
        return np.full(len(rows), self.probability, np.float32)


@pytest.mark.parametrize(("probability", "asked"), [(0.98, 0), (0.9, 1)])
def test_further_nets_are_asked_only_if_the_first_is_unsure(probability: float, asked: int) -> None:
    lines, measured = measured_lines(parse(_page()), load_models(SHIPPED).vocabulary)
    first, second = FixedNet(probability), FixedNet(0.5)

    together = line_probabilities(lines, measured, cast("tuple[Net, ...]", (first, second)))

    assert second.asked == asked
    assert together == pytest.approx((probability + 0.5) / 2 if asked else probability)


def test_if_the_first_net_finds_no_likely_line_no_other_is_asked() -> None:
    models = load_models(SHIPPED)
    first = models.nets[0]
    never = replace(first, weights=replace(first.weights, output_bias=np.full(1, -30, np.float32)))
    document = parse(_page())
    lines, measured = measured_lines(document, models.vocabulary)

    together = line_probabilities(lines, measured, (never, first))

    assert (together < 0.01).all()
