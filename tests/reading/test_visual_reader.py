"""The visual reader: titles and dates by their looks, the body between them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.document import Document, parse
from broadsheet.models.arrays import pack
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.nodes import TreeNodes
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading import extract, read
from broadsheet.reading.visual import visual_attributes, visual_reader
from broadsheet.reading.visual._date_clusters import date_clusters, nearest_cluster
from broadsheet.reading.visual._edit_distance import edit_distance
from broadsheet.reading.visual.visual_attributes import (
    DATE_ATTRIBUTES,
    TITLE_ATTRIBUTES,
    date_rows,
    measure_looks,
    stated_title,
    title_rows,
)
from broadsheet.reading.visual.visual_models import CLASSES, LENGTHS, SHIPPED, VisualModels, read_models, write_models

SENTENCE = "The harbour bridge was open to all traffic again, three months later than the city had planned. "
STYLE = "<style>h2 { font-size: 30px } .day { font-size: 11px; color: #777 } p { font-size: 14px }</style>"
PAGE = f"""<html><head><title>Harbour bridge reopens - The Example</title>{STYLE}</head><body>
<div><a href=/news>News</a> <a href=/sport>Sport</a></div>
<div><h2>Harbour <em>bridge</em> reopens</h2><div class=day>2 March 2026</div><p>{SENTENCE * 8}</p><p>{SENTENCE * 5}</p>
</div><footer>Imprint</footer></body></html>"""


def reference_distance(text: str, goal: str) -> int:
    """The textbook's table, row by row."""
    before = list(range(len(goal) + 1))
    for row, character in enumerate(text, 1):
        costs = [4 * row]
        for column, wanted in enumerate(goal, 1):
            changed = before[column - 1] + (0 if wanted == character else 2)
            costs.append(min(changed, before[column] + 4, costs[-1] + 1))
        before = costs
    return before[-1]


def stump(features: tuple[str, ...], feature: str, threshold: float) -> TreeEnsemble:
    """A tree that finds what is above a threshold."""
    nodes = TreeNodes(
        feature=np.array([features.index(feature), -1, -1], np.int32),
        threshold=np.array([threshold, 0, 0], np.float32),
        left=np.array([1, 0, 0], np.int32),
        right=np.array([2, 0, 0], np.int32),
        missing_left=np.ones(3, np.uint8),
        value=np.array([[0.5, 0.5], [1, 0], [0, 1]], np.float32),
        root=np.zeros(1, np.int32),
        column=np.zeros(1, np.int32),
    )
    card = Card(name="stump", version=1, features=features, classes=CLASSES, training="by hand")
    return TreeEnsemble(card, nodes, np.zeros(2), "mean", "identity")


#: Titles are large, dates have many digits.
MODELS = VisualModels(stump(TITLE_ATTRIBUTES, "size", 20), stump(DATE_ATTRIBUTES, "share of digits", 0.2), 40)


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visual_reader, "read_models", lambda _: MODELS)


def texts(document: Document, labels: object, label: Label) -> list[str]:
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(labels == label).tolist()]


def test_insertions_cost_1_changes_2_and_deletions_4() -> None:
    headline = "Apple's Lion makes a move towards mobile"

    assert edit_distance(headline, f"{headline} – CNN.com") == len(" – CNN.com")
    assert edit_distance("abc", "abd") == 2
    assert edit_distance("abc", "") == 12
    assert edit_distance("", "abc") == 3


@given(st.text("abc é日", max_size=12), st.text("abc é日", max_size=12))
def test_the_compiled_distance_is_that_of_the_textbook(text: str, goal: str) -> None:
    assert edit_distance(text, goal) == reference_distance(text, goal)


def test_attributes_are_length_digits_size_weight_and_rarity() -> None:
    document = parse(PAGE)
    pieces = np.array([piece for piece in range(len(document.pieces)) if "2026" in document.piece_text(piece)])

    [row] = measure_looks(document, pieces).shared.tolist()

    assert row == pytest.approx([12, 5, 5 / 12, 11, 11 / 30, 0, 1])


def test_the_title_is_near_the_stated_title_and_dates_count_from_it() -> None:
    document = parse("<title>Bridge opens</title><p>Bridge opens</p><p>Menu</p>")
    looks = measure_looks(document, np.array([1, 2], np.int32))

    assert stated_title(document)[1] == "Bridge opens"
    assert title_rows(document, looks)[:, -1].tolist() == pytest.approx([0, edit_distance("Menu", "Bridge opens") / 12])
    assert date_rows(looks, 1)[:, -1].tolist() == [0, 1]
    assert np.isnan(date_rows(looks, None)[:, -1]).all()


def test_without_a_stated_title_its_distance_is_unknown() -> None:
    document = parse("<p>Bridge opens</p>")

    assert np.isnan(title_rows(document, measure_looks(document, np.array([0], np.int32)))[:, -1]).all()


def test_beyond_a_budget_of_comparisons_the_distance_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visual_attributes, "MAX_COMPARED", 60)
    document = parse("<title>Bridge</title><p>Bridge</p><p>Other text that is long</p>")

    distances = title_rows(document, measure_looks(document, np.array([1, 2], np.int32)))[:, -1]

    assert distances[0] == 0
    assert np.isnan(distances[1])


def test_a_text_of_any_length_has_a_distance() -> None:
    document = parse(f"<title>Bridge</title><p>{'x' * 100_000}</p>")

    [distance] = title_rows(document, measure_looks(document, np.array([1], np.int32)))[:, -1].tolist()

    assert distance > 4 * 99_000 / len("Bridge")


def test_dates_with_at_most_two_other_pieces_between_them_belong_together() -> None:
    groups = date_clusters(np.array([3, 6, 7, 11, 40], np.int32))

    assert [group.tolist() for group in groups] == [[3, 6, 7], [11], [40]]


@pytest.mark.parametrize(("title", "expected"), [(0, [3, 4]), (30, [33]), (None, [3, 4, 33])])
def test_the_dates_nearest_to_the_title_count(title: int | None, expected: list[int]) -> None:
    assert nearest_cluster(np.array([3, 4, 33], np.int32), title).tolist() == expected


@pytest.mark.usefixtures("by_hand")
def test_title_date_and_body_are_labelled() -> None:
    document = parse(PAGE)

    labels = read(document, "visual").labels

    assert texts(document, labels, Label.TITLE) == ["Harbour", "bridge", "reopens"]
    assert texts(document, labels, Label.DATE) == ["2 March 2026"]
    assert texts(document, labels, Label.BODY) == [(SENTENCE * 8).strip(), (SENTENCE * 5).strip()]


@pytest.mark.usefixtures("by_hand")
def test_exactly_as_published_one_piece_is_the_title_and_the_first_one_wins() -> None:
    document = parse(PAGE)

    labels = read(document, "visual", exact=True).labels

    assert texts(document, labels, Label.TITLE) == ["Harbour"]


@pytest.mark.usefixtures("by_hand")
def test_exactly_as_published_a_page_without_a_large_text_has_its_stated_title() -> None:
    document = parse(PAGE.replace("30px", "14px"))

    labels = read(document, "visual", exact=True).labels

    assert texts(document, labels, Label.TITLE) == ["Harbour bridge reopens - The Example"]


@pytest.mark.usefixtures("by_hand")
def test_exactly_as_published_the_date_nearest_to_the_title_counts() -> None:
    page = PAGE.replace("<a href=/news>", "<b>17.11.2026</b>" + "<i>Weather</i>" * 4 + "<a href=/news>")
    document = parse(page)

    assert texts(document, read(document, "visual", exact=True).labels, Label.DATE) == ["2 March 2026"]


def test_the_most_probable_date_counts_with_its_neighbours() -> None:
    probabilities = {"1 May": 0.4, "9:30": 0.9, "14:05": 0.8}
    document = parse("<p>1 May</p>" + "<p>x</p>" * 4 + "<p>14:05</p><p>9:30</p>")
    given = np.array([probabilities.get(document.piece_text(piece), 0.0) for piece in range(len(document.pieces))])

    pieces = visual_reader._choose_dates(np.arange(len(given), dtype=np.int32), given, 0, exact=False)

    assert [document.piece_text(piece) for piece in pieces.tolist()] == ["14:05", "9:30"]


@pytest.mark.usefixtures("by_hand")
def test_a_long_text_with_many_digits_is_not_a_date() -> None:
    document = parse(PAGE.replace("2 March 2026", "2 March 2026, 0 555 123 456, 0 555 123 457, 0 555 123 458"))

    assert texts(document, read(document, "visual").labels, Label.DATE) == []


@pytest.mark.usefixtures("by_hand")
def test_a_title_after_the_text_leaves_the_body_whole() -> None:
    page = (
        f"<title>T</title>{STYLE}<div><p>{SENTENCE * 8}</p><p>{SENTENCE * 8}</p><h2>Harbour bridge reopens</h2></div>"
    )
    document = parse(page)

    labels = read(document, "visual").labels

    assert texts(document, labels, Label.TITLE) == ["Harbour bridge reopens"]
    assert len(texts(document, labels, Label.BODY)) == 2


@pytest.mark.usefixtures("by_hand")
def test_hidden_text_is_neither_title_nor_date() -> None:
    document = parse(PAGE.replace("<h2>", "<h2 style='display: none'>Cookies</h2><h2>"))

    assert texts(document, read(document, "visual").labels, Label.TITLE) == ["Harbour", "bridge", "reopens"]


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("href", ["/", "https://courier.example", "//courier.example/index.html#top"])
def test_the_name_of_the_site_is_not_the_title(href: str) -> None:
    document = parse(PAGE.replace("<a href=/news>", f"<h2><a href='{href}'>The Example</a></h2><a href=/news>"))

    assert texts(document, read(document, "visual").labels, Label.TITLE) == ["Harbour", "bridge", "reopens"]
    assert texts(document, read(document, "visual", exact=True).labels, Label.TITLE) == ["The Example"]


@pytest.mark.usefixtures("by_hand")
def test_the_title_is_the_part_of_its_line_that_is_nearest_to_the_stated_title() -> None:
    kicker = "<small style='font-size: 12px'>City</small> "
    document = parse(PAGE.replace("<h2>", f"<h2>{kicker}"))
    stated = parse(PAGE.replace("<h2>", f"<h2>{kicker}").replace("<title>", "<title>City "))

    assert texts(document, read(document, "visual").labels, Label.TITLE) == ["Harbour", "bridge", "reopens"]
    assert texts(stated, read(stated, "visual").labels, Label.TITLE) == ["City", "Harbour", "bridge", "reopens"]


@pytest.mark.usefixtures("by_hand")
def test_without_a_stated_title_the_title_is_the_part_of_its_line_of_the_same_size() -> None:
    page = PAGE.replace("<title>Harbour bridge reopens - The Example</title>", "")
    document = parse(page.replace("<h2>", "<h2><small style='font-size: 12px'>City</small> "))

    assert texts(document, read(document, "visual").labels, Label.TITLE) == ["Harbour", "bridge", "reopens"]


@pytest.mark.usefixtures("by_hand")
def test_an_article_has_the_title_and_the_date_that_the_reader_sees() -> None:
    page = PAGE.replace("<head>", "<head><meta property=article:published_time content=2026-03-01T08:00:00+01:00>")

    article = extract(page, reader="visual")

    assert article is not None
    assert article.title == "Harbour bridge reopens"
    assert article.published is not None
    assert article.published.date().isoformat() == "2026-03-02"
    assert "reader" in article.evidence["published"]


@pytest.mark.parametrize("page", ["", "<p>", "<title>x</title>", "<p>1.1.2026</p>"])
def test_a_page_with_hardly_any_text_can_be_read(page: str) -> None:
    document = parse(page)

    assert len(read(document, "visual").labels) == len(document.pieces)


def test_models_survive_their_files(tmp_path: Path) -> None:
    write_models(MODELS, tmp_path)

    assert read_models(tmp_path).most_in_a_date == MODELS.most_in_a_date
    assert read_models(SHIPPED).label == "visual-title-1, visual-date-1"


def test_models_of_other_attributes_are_refused() -> None:
    with pytest.raises(ModelError, match="attributes"):
        VisualModels(MODELS.date, MODELS.title, 40)


@pytest.mark.parametrize("content", [b"", b"PK", pack({"most_in_a_date": np.array([1.5])}), pack({})])
def test_a_damaged_file_of_lengths_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    write_models(MODELS, tmp_path)
    (tmp_path / f"{LENGTHS}.npz").write_bytes(content)

    with pytest.raises(ModelError, match=LENGTHS):
        read_models(tmp_path)
