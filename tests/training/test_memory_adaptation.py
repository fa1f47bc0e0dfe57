"""The memory reader remembers a person's own pages if that helps."""

import numpy as np
import pytest

from broadsheet.base.records import Label
from broadsheet.document import parse
from broadsheet.models.memory_files import from_bytes, to_bytes
from broadsheet.reading.double_tags import DOUBLE_TAGS
from broadsheet.reading.memory_reader import SHIPPED, load_models
from broadsheet.training import memory_adaptation
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.memory_adaptation import remember_pages
from broadsheet.training.memory_training import MemoryTraining, remember, remember_more
from tests.corpora import tiny


def labelled(*, is_body: bool) -> LabelledDocument:
    """A page whose paragraphs, or whose other texts, are labelled as body."""
    paragraphs = tuple(paragraph * 3 for paragraph in tiny.PARAGRAPHS)
    document = parse(tiny.html(paragraphs))
    texts = [document.piece_text(piece) for piece in range(len(document.pieces))]
    # A teaser above the title repeats the first paragraph.
    title = texts.index("Crane falls into the harbour")
    is_paragraph = np.array([place > title and text in paragraphs for place, text in enumerate(texts)])
    return LabelledDocument(document, np.where(is_paragraph == is_body, Label.BODY, Label.GARBAGE).astype(np.int8))


def test_more_pages_are_remembered_as_if_all_had_been_read_at_once() -> None:
    pages = [labelled(is_body=True), labelled(is_body=False)]
    settings = MemoryTraining()
    both = remember(iter(pages), settings)

    added = remember_more(remember(iter(pages[:1]), settings), pages[1:])

    again = from_bytes(to_bytes(added))
    for model in (added, again):
        assert model.base.counts.sum() == both.base.counts.sum()
        assert {tuple(row) for row in _rows(model)} == {tuple(row) for row in _rows(both)}
    assert added.card.classes == DOUBLE_TAGS
    assert "1 annotated pages" in added.card.training


def _rows(model: object) -> list[list[int]]:
    base = model.base  # type: ignore[attr-defined]
    rows = np.empty_like(base.rows)
    rows[:, base.order] = base.rows
    return rows.tolist()  # type: ignore[no-any-return]


def test_pages_that_are_read_well_already_leave_the_models_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_models(SHIPPED)
    monkeypatch.setattr(memory_adaptation, "body_f", lambda *_: 0.95)

    adapted = remember_pages(shipped, [labelled(is_body=True)] * 5)

    assert (adapted.before, adapted.after) == pytest.approx((0.95, 0.95))
    assert not adapted.helps
    assert adapted.models is shipped


def test_pages_are_remembered_if_held_out_ones_are_read_better_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_models(SHIPPED)
    monkeypatch.setattr(memory_adaptation, "body_f", lambda models, _: 0.5 if models is shipped else 0.6)

    adapted = remember_pages(shipped, [labelled(is_body=True)] * 5)

    assert (adapted.before, adapted.after) == pytest.approx((0.5, 0.6))
    assert adapted.models.memory.base.counts.sum() > shipped.memory.base.counts.sum()


def test_a_gain_that_is_not_clear_leaves_the_models_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_models(SHIPPED)
    found = iter([0.5, 0.9] + [0.5, 0.45] * 4)
    monkeypatch.setattr(memory_adaptation, "body_f", lambda *_: next(found))

    adapted = remember_pages(shipped, [labelled(is_body=True)] * 5)

    assert adapted.after > adapted.before
    assert not adapted.helps
    assert adapted.models is shipped
