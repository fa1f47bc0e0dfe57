"""The memory reader, with its shipped models."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.records import Label
from broadsheet.models.model_errors import ModelError
from broadsheet.reading import read
from broadsheet.reading.memory_reader import (
    CONTEXT,
    INSTANCES,
    REVIEW,
    SHIPPED,
    decide,
    label_probabilities,
    load_models,
    model_label,
    save,
    to_model_arrays,
)
from broadsheet.reading.piece_context import COLUMNS, piece_context
from broadsheet.reading.reader_files import memory_bytes, reader_bytes, reader_from_bytes

PARAGRAPHS = "".join(
    f"<p>The council met on Monday to discuss the new harbour, and after a long debate decided on plan number {n}.</p>"
    for n in range(8)
)
PAGE = (
    "<html><head><title>Council decides on the harbour | The Courier</title></head><body><ul><li><a href='/a'>News</a>"
    "</li><li><a href='/b'>Sport</a></li></ul><h1>Council decides on the harbour</h1>"
    f"<div>{PARAGRAPHS}</div><div><a href='/c'>More</a> <a href='/d'>Imprint</a></div></body></html>"
)


def labelled(kind: Label, *, exact: bool = False) -> list[str]:
    document = broadsheet.parse(PAGE)
    labels = read(document, "memory", exact=exact).labels
    return [document.piece_text(piece) for piece in np.flatnonzero(labels == kind).tolist()]


def test_title_and_body_of_a_plain_article_are_found() -> None:
    assert labelled(Label.TITLE) == ["Council decides on the harbour"]
    assert len(labelled(Label.BODY)) == 8


def test_the_published_form_takes_the_votes_of_memory_alone() -> None:
    assert all("council" in text for text in labelled(Label.BODY, exact=True))


def test_a_page_without_text_has_no_labels() -> None:
    assert len(read(broadsheet.parse("<html></html>"), "memory").labels) == 0


def test_the_models_are_named() -> None:
    assert model_label() == "memory (memory-2, memory-context-2, memory-review-2)"


def test_the_shipped_instances_are_small() -> None:
    assert (SHIPPED / INSTANCES).stat().st_size <= 2_200_000


@pytest.mark.parametrize("name", [CONTEXT, REVIEW])
def test_models_for_other_features_are_refused(name: str, tmp_path: Path) -> None:
    save(load_models(SHIPPED), tmp_path)
    (tmp_path / name).write_bytes((SHIPPED.parents[1] / "pages" / "data" / "page.npz").read_bytes())

    with pytest.raises(ModelError, match="other features or classes"):
        load_models(tmp_path)


def test_a_model_that_is_cut_short_is_named(tmp_path: Path) -> None:
    (tmp_path / INSTANCES).write_bytes((SHIPPED / INSTANCES).read_bytes()[:5_000])

    with pytest.raises(ModelError, match=INSTANCES):
        load_models(tmp_path)


def test_a_model_in_one_file_reads_as_its_folder_does() -> None:
    content = memory_bytes(load_models(SHIPPED))

    reading = reader_from_bytes(content)(broadsheet.parse(PAGE))

    assert reading.labels.tolist() == read(broadsheet.parse(PAGE), "memory").labels.tolist()


@pytest.mark.parametrize(
    "damage", [{INSTANCES: None}, {REVIEW: None}, {CONTEXT: np.zeros(3)}, {CONTEXT: np.zeros(9, np.uint8)}]
)
def test_a_file_without_a_sound_part_is_refused(damage: dict[str, object]) -> None:
    arrays = {**to_model_arrays(load_models(SHIPPED)), **damage}
    sound = {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}

    with pytest.raises(ModelError, match="model"):
        reader_from_bytes(reader_bytes("memory", sound))


def test_the_labels_of_a_piece_share_one_probability() -> None:
    document = broadsheet.parse(PAGE)
    nothing = np.zeros((len(document.pieces), 4), np.float32), np.zeros(len(document.pieces), np.float32)

    probabilities = label_probabilities(document, *nothing, load_models(SHIPPED))

    assert probabilities.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert probabilities.min() >= 0


def test_there_is_one_title_in_one_line_and_no_heading_outside_the_body() -> None:
    document = broadsheet.parse("<h2>Teaser</h2><h1>Title</h1><p>Body.</p><h2>Inside</h2><p>Body.</p><h2>Below</h2>")
    heading, title, body = [0, 0.2, 0.7, 0.1], [0, 0.8, 0.1, 0.1], [0, 0, 0.1, 0.9]
    probabilities = np.array([heading, title, body, heading, body, heading], np.float32)

    labels = decide(document, probabilities)

    assert [Label(label).name for label in labels] == ["GARBAGE", "TITLE", "BODY", "HEADING", "BODY", "GARBAGE"]


PARTS = st.sampled_from(
    ["<p>", "</p>", "<h1>", "<b>", "</b>", "<!-- c -->", "words. ", " ", "<br>", "<script>x</script>", "<a href=x>"]
)


@settings(max_examples=25)
@given(st.lists(PARTS, max_size=30))
def test_any_page_gets_a_label_per_piece_and_finite_features(parts: list[str]) -> None:
    document = broadsheet.parse(f"<html><body>{''.join(parts)}</body></html>")
    size = len(document.pieces)

    reading = read(document, "memory")

    assert len(reading.labels) == size
    if size:
        context = piece_context(document, np.zeros((size, 4), np.float32), np.zeros(size, np.float32))
        assert context.shape == (size, len(COLUMNS))
        assert np.isfinite(context).all()
