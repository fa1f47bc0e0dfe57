"""The visual reader learns what titles and dates look like."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.document import parse
from broadsheet.reading.visual.visual_models import read_models
from broadsheet.reading.visual.visual_reader import find
from broadsheet.training._visual_examples import clean_dates, look_examples
from broadsheet.training.visual_training import Ensemble, fit, train
from tests.corpora import tiny

LONG = tuple(paragraph * 8 for paragraph in tiny.PARAGRAPHS)


def pages(number: int) -> Iterator[LabelledPage]:
    for name in range(number):
        yield tiny.page(str(name), tiny.html(LONG), body="\n\n".join(LONG), split="train")


def test_text_without_digits_loses_the_label_of_a_date() -> None:
    labelled = np.array([True, True, False])

    assert clean_dates(labelled, np.array([0, 2, 2], np.float32)).tolist() == [False, True, False]


def test_an_example_has_the_labelled_title_and_date() -> None:
    [example] = look_examples(pages(1), Counters())

    assert example.is_title is not None
    assert example.is_date is not None
    assert (example.is_title.sum(), example.is_date.sum()) == (1, 1)
    assert example.title == example.looks.pieces[example.is_title][0]


def test_a_page_that_shows_neither_is_counted() -> None:
    counters = Counters()
    bare = tiny.page("bare", "<body><p>Nothing here.</p></body>")

    assert list(look_examples(iter([bare]), counters)) == []
    assert [counted.reason for counted, _ in counters] == [
        "neither title nor date is found in the text that is searched"
    ]


@pytest.mark.parametrize("kind", ["bagged", "boosted"])
def test_a_trained_ensemble_finds_title_and_date(kind: Ensemble) -> None:
    models = fit(list(look_examples(pages(40), Counters())), kind)
    document = parse(tiny.html(LONG))

    result = find(document, models)

    assert result.title is not None
    assert document.piece_text(result.title) == "Crane falls into the harbour"
    assert [document.piece_text(piece) for piece in result.dates.tolist()] == ["2 March 2026"]


def test_the_same_pages_give_the_same_files(tmp_path: Path) -> None:
    tiny.folder(tmp_path / "pages", "harbour", [tiny.row(f"t{n}", split="train") for n in range(3)])

    for out in ("one", "two"):
        train(tmp_path, tmp_path / out, lambda _: None)

    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert len(files) == 3
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert "3 labelled pages" in read_models(tmp_path / "one").title.card.training


def test_pages_without_a_title_are_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="nothing to learn from"):
        fit([])
