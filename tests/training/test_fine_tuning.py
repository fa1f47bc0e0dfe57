"""Fine-tuning nets on a few annotated pages, with their own weights as prior."""

from dataclasses import replace

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.models.net import NAMES, to_arrays
from broadsheet.reading.measured_lines import SHIPPED
from broadsheet.reading.trained import load_models
from broadsheet.training import fine_tuning
from broadsheet.training.fine_tuning import (
    TuningChoice,
    TuningSettings,
    choose_tuning,
    fine_tune,
    selected_f,
    table_probabilities,
)
from broadsheet.training.line_model._examples import Example, from_annotation
from broadsheet.training.line_model._line_table import LineTable
from broadsheet.training.line_model._net_weights import NetSettings
from broadsheet.training.reader_training import length_weights, measured
from tests.corpora import tiny

MODELS = load_models(SHIPPED)
QUICK = TuningSettings(epochs=3, net=NetSettings(size=2, rate=3e-3, decay=1.0, word_decay=1.0))


def example(number: int) -> Example:
    """A page on which somebody labels the navigation as the article, which the shipped nets would never do."""
    texts = [f"{text} {number}" for text in tiny.PARAGRAPHS]
    document = parse(tiny.html(texts))
    labels = np.zeros(len(document.pieces), np.int8)
    labels[[place for place in range(len(labels)) if document.piece_text(place) in {"Home", "Sport"}]] = 5
    return from_annotation(tiny.page(f"p{number}").labels, document, labels)


@pytest.fixture(scope="module")
def table() -> LineTable:
    return LineTable.of(measured([example(number) for number in range(6)], MODELS.vocabulary), MODELS.vocabulary.size)


def test_the_nets_learn_what_is_annotated_and_hardly_change_else(table: LineTable) -> None:
    tuned = fine_tune(MODELS, table, range(4), length_weights(table), QUICK)

    assert tuned.choice.epochs > 0
    assert tuned.choice.after > tuned.choice.before
    before, after = (selected_f(table_probabilities(each, table, 5), table, 5) for each in (MODELS, tuned.models))
    assert after > before
    for old, new in zip(MODELS.nets, tuned.models.nets[-len(MODELS.nets) :], strict=True):
        unused = np.setdiff1d(np.arange(len(old.words)), table.words.indices)
        assert np.array_equal(old.words.steps[unused], new.words.steps[unused])
        assert np.abs(old.weights.comparison - new.weights.comparison).max() < 0.1
        assert "fine-tuned on 4 annotated pages" in new.card.training


def test_the_same_pages_give_the_same_nets(table: LineTable) -> None:
    first, second = (fine_tune(MODELS, table, range(3), length_weights(table), QUICK) for _ in range(2))

    for one, other in zip(first.models.nets, second.models.nets, strict=True):
        assert all(np.array_equal(to_arrays(one)[name], to_arrays(other)[name]) for name in NAMES)


@pytest.mark.parametrize(("alone", "number"), [(True, len(MODELS.nets)), (False, 2 * len(MODELS.nets))])
def test_the_adapted_nets_read_alone_or_beside_the_old_ones(
    table: LineTable, monkeypatch: pytest.MonkeyPatch, alone: bool, number: int
) -> None:
    monkeypatch.setattr(fine_tuning, "choose_tuning", lambda *_: TuningChoice(2, alone, 0.5, 0.6))

    tuned = fine_tune(MODELS, table, range(3), length_weights(table), QUICK)

    assert len(tuned.models.nets) == number
    assert all("2 rounds" in net.card.training for net in tuned.models.nets[-len(MODELS.nets) :])


def test_nets_stay_as_they_are_if_no_round_helps(table: LineTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fine_tuning, "choose_tuning", lambda *_: TuningChoice(0, False, 0.5, 0.5))

    tuned = fine_tune(MODELS, table, range(3), length_weights(table), QUICK)

    assert tuned.models is MODELS


def test_a_gain_that_is_clear_is_chosen_with_its_way_of_reading() -> None:
    before = np.full(4, 0.5)
    after = np.stack([np.full((2, 4), 0.5), [[0.6, 0.6, 0.6, 0.6], [0.7, 0.7, 0.8, 0.8]]])

    choice = choose_tuning(before, after)

    assert (choice.epochs, choice.alone) == (2, True)
    assert (choice.before, choice.after) == pytest.approx((0.5, 0.75))


def test_a_gain_of_one_page_alone_is_not_enough() -> None:
    before = np.full(5, 0.9)
    after = np.tile(before, (1, 2, 1))
    after[0, 1, 0] = 1.0

    assert choose_tuning(before, after) == TuningChoice(0, False, 0.9, 0.9)


def test_one_page_and_other_nets_are_refused(table: LineTable) -> None:
    with pytest.raises(InputError, match="at least two annotated pages"):
        fine_tune(MODELS, table, [0], length_weights(table), QUICK)
    other = replace(QUICK, net=replace(QUICK.net, reaches=(1, 2)))
    with pytest.raises(InputError, match="looks at other lines"):
        fine_tune(MODELS, table, [0, 1], length_weights(table), other)
