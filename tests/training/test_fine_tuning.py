"""Fine-tuning nets on a few annotated pages, with their own weights as prior."""

from dataclasses import replace

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.models.net import NAMES, to_arrays
from broadsheet.reading.trained import SHIPPED, load_models
from broadsheet.training import fine_tuning
from broadsheet.training.fine_tuning import TuningSettings, fine_tune, line_f
from broadsheet.training.line_model._examples import Example, from_annotation
from broadsheet.training.line_model._line_table import LineTable
from broadsheet.training.line_model._net_fitting import NetSettings
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

    assert tuned.epochs > 0
    assert tuned.losses[tuned.epochs] < tuned.losses[0]
    assert line_f(tuned.models, table, 5) >= line_f(MODELS, table, 5)
    assert tuned.models.nets[:2] == MODELS.nets
    for old, new in zip(MODELS.nets, tuned.models.nets[2:], strict=True):
        unused = np.setdiff1d(np.arange(len(old.words)), table.words.indices)
        assert np.array_equal(old.words.steps[unused], new.words.steps[unused])
        assert np.abs(old.weights.mixing - new.weights.mixing).max() < 0.1
        assert "fine-tuned on 4 annotated pages" in new.card.training


def test_the_same_pages_give_the_same_nets(table: LineTable) -> None:
    first, second = (fine_tune(MODELS, table, range(3), length_weights(table), QUICK) for _ in range(2))

    for one, other in zip(first.models.nets, second.models.nets, strict=True):
        assert all(np.array_equal(to_arrays(one)[name], to_arrays(other)[name]) for name in NAMES)


def test_nets_stay_as_they_are_if_no_round_helps(table: LineTable, monkeypatch: pytest.MonkeyPatch) -> None:
    rising = np.array([0.1, 0.2, 0.3, 0.4])
    monkeypatch.setattr(fine_tuning, "_held_out_losses", lambda *_: rising)

    tuned = fine_tune(MODELS, table, range(3), length_weights(table), QUICK)

    assert (tuned.epochs, tuned.models) == (0, MODELS)


def test_one_page_and_other_nets_are_refused(table: LineTable) -> None:
    with pytest.raises(InputError, match="at least two annotated pages"):
        fine_tune(MODELS, table, [0], length_weights(table), QUICK)
    other = replace(QUICK, net=replace(QUICK.net, reaches=(1, 2)))
    with pytest.raises(InputError, match="looks at other lines"):
        fine_tune(MODELS, table, [0, 1], length_weights(table), other)
