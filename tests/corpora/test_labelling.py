from pathlib import Path
from typing import Any

import numpy as np
import pytest

from broadsheet.base.counters import Counters
from broadsheet.base.records import Label
from broadsheet.corpora._labelling import Labelled, label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import Gold
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.quality import alignment_quality
from broadsheet.corpora.site_splits import sample
from broadsheet.document import Document, parse
from tests.corpora import tiny

BODY = "\n\n".join(tiny.PARAGRAPHS)


def texts(document: Document, labelled: Labelled, kind: Label) -> list[str]:
    return [document.piece_text(int(piece)).strip() for piece in np.flatnonzero(labelled.labels == kind)]


def test_the_body_is_labelled_and_its_teaser_is_not() -> None:
    document = parse(tiny.html())

    labelled = label(document, Gold(body=BODY))

    assert texts(document, labelled, Label.BODY) == list(tiny.PARAGRAPHS)
    assert (labelled.body.coverage, labelled.body.purity) == (1.0, 1.0)
    first = int(np.flatnonzero(labelled.labels == Label.BODY)[0])
    assert document.tag_name(int(document.pieces.owner[first])) == "p"
    assert document.piece_text(first - 1) == "2 March 2026"


def test_title_author_and_date_are_labelled_where_they_are_shown() -> None:
    document = parse(tiny.html())
    gold = Gold(body=BODY, title="Crane falls into the harbour", authors=("Jane Doe",), date="2026-03-02")

    labelled = label(document, gold)

    assert texts(document, labelled, Label.TITLE) == ["Crane falls into the harbour"]
    assert texts(document, labelled, Label.AUTHOR) == ["By", "Jane Doe"]
    assert texts(document, labelled, Label.DATE) == ["2 March 2026"]


def test_a_title_with_the_site_s_name_is_the_heading_most_like_it() -> None:
    document = parse(tiny.html())

    labelled = label(document, Gold(body=BODY, title="Crane falls into the harbour - The Courier"))

    assert texts(document, labelled, Label.TITLE) == ["Crane falls into the harbour"]


def test_a_title_that_is_not_shown_gets_no_label() -> None:
    document = parse(tiny.html())

    labelled = label(document, Gold(body=BODY, title="Something else altogether"))

    assert texts(document, labelled, Label.TITLE) == []


@pytest.mark.parametrize(
    "shown", ["02.03.2026", "2. März 2026, 14:05 Uhr", "2026年3月2日", "Mar 2, 2026", "02/03/26", "2 марта 2026"]
)
def test_a_day_is_found_in_any_language(shown: str) -> None:
    document = parse(tiny.html().replace("2 March 2026", shown))

    labelled = label(document, Gold(body=BODY, date="2026-03-02"))

    assert texts(document, labelled, Label.DATE) == [shown]


@pytest.mark.parametrize("shown", ["3 March 2026", "02.03.2025", "14:02"])
def test_another_day_is_not_the_date(shown: str) -> None:
    document = parse(tiny.html().replace("2 March 2026", shown))

    assert texts(document, label(document, Gold(body=BODY, date="2026-03-02")), Label.DATE) == []


def test_headings_between_paragraphs_are_labelled_each_once() -> None:
    first, second, third = tiny.PARAGRAPHS
    document = parse(f"<h2>What next</h2><p>{first}</p><h2>What next</h2><p>{second}</p><p>{third}</p>")

    labelled = label(document, Gold(body=BODY, headings=("What next",)))

    assert labelled.labels.tolist() == [Label.GARBAGE, Label.BODY, Label.HEADING, Label.BODY, Label.BODY]


def test_inline_markup_entities_and_quotes_make_no_difference() -> None:
    page = (
        "<p>The caf&eacute;&#8217;s <b>new</b> o<i>ff</i>er of 1&nbsp;000 cakes &mdash; <a href='/x'>all gone</a>!</p>"
    )
    document = parse(page)

    labelled = label(document, Gold(body="The cafe\u0301's new offer of 1 000 cakes - all gone!"))

    assert set(labelled.labels.tolist()) == {Label.BODY}


def test_a_piece_without_words_gets_the_label_of_its_line() -> None:
    first = tiny.PARAGRAPHS[0]
    document = parse(f"<p>“<b>{first}</b>”</p><p><b>*</b></p><p>|</p>")

    labelled = label(document, Gold(body=first))

    assert labelled.labels.tolist() == [Label.BODY] * 3 + [Label.GARBAGE] * 2


def test_the_title_element_is_never_body() -> None:
    first = tiny.PARAGRAPHS[0]
    document = parse(f"<title>{first}</title><p>{first}</p>")

    assert label(document, Gold(body=first)).labels.tolist() == [Label.GARBAGE, Label.BODY]


def test_a_page_without_text_has_no_labels() -> None:
    labelled = label(parse(""), Gold(body=BODY))

    assert (len(labelled.labels), labelled.body.coverage, labelled.body.purity) == (0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"body": None}, "no body is labelled"),
        ({"body_in_html": 0.2}, "label and page disagree"),
        ({"body": "A story of which this page does not hold a single sentence."}, "less than half of the body"),
    ],
)
def test_a_page_that_does_not_match_its_labels_is_refused_with_a_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        Truth.from_page(tiny.page(**changes))


def test_quality_is_reported_per_corpus_and_unusable_pages_are_counted() -> None:
    half = "\n\n".join([*tiny.PARAGRAPHS, "And this sentence of ten words is not here."])
    pages = [tiny.page("one"), tiny.page("two", body=half), tiny.page("three", corpus="other", body_in_html=0.1)]
    counters = Counters()

    other_row, tiny_row = alignment_quality(pages, counters)

    assert (tiny_row["corpus"], tiny_row["pages"], tiny_row["left_out"], tiny_row["below_95"]) == ("tiny", 2, 0, 1)
    words = sum(len(paragraph.split()) for paragraph in tiny.PARAGRAPHS)
    assert tiny_row["covered"] == pytest.approx((1 + words / (words + 9)) / 2)
    assert (tiny_row["title_found"], tiny_row["headings_found"]) == (1.0, None)
    assert (other_row["pages"], other_row["left_out"], counters.total("left out")) == (0, 1, 1)


@pytest.mark.parametrize("corpus", ["zyte_aeb", "chinese_wce", "fundus_eval"])
def test_hand_labelled_pages_are_aligned_almost_completely(shared_data: Path, corpus: str) -> None:
    corpora = find_corpora([shared_data / "pages" / f"{corpus}.tar.xz"])
    counters = Counters()
    chosen = sample(corpora[0].labels(), 25)

    (row,) = alignment_quality(read_pages(corpora, chosen, counters), counters)

    assert row["left_out"] == 0
    assert float(str(row["covered"])) > 0.99
    assert float(str(row["pure"])) > 0.99
