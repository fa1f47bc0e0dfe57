"""The studies of annotated pages: which pages are annotated and tested, and what is learned from them."""

from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import parse
from broadsheet.experiments.annotation_study import remembering_study
from broadsheet.experiments.annotation_study.active_learning_study import ChoiceStudy, PieceLearner, PoolPage
from broadsheet.experiments.annotation_study.fine_tuning_study import PageGroup
from broadsheet.experiments.experiment import Context
from broadsheet.training.labelled_documents import LabelledDocument
from tests.corpora import tiny

PAGES = [PageLabels.from_row("tiny", tiny.row(f"p{number}", domain=f"s{number // 5}")) for number in range(50)]


def test_the_pages_of_a_site_are_annotated_or_tested_in_each_order() -> None:
    group = PageGroup("s", is_kind=False, pages=tuple(range(12)))

    (first, tested), (second, _) = (group.order(PAGES, seed) for seed in (0, 1))

    assert group.counts == (2, 5)
    assert len(first) == 5
    assert sorted(first + tested) == list(range(12))
    assert first != second


def test_pages_of_a_kind_are_tested_on_other_sites_than_those_annotated() -> None:
    group = PageGroup("kind", is_kind=True, pages=tuple(range(50)))

    annotated, tested = group.order(PAGES, 3)

    assert len(annotated) == group.counts[-1] == 20
    assert {PAGES[page].site for page in annotated}.isdisjoint(PAGES[page].site for page in tested)
    assert len(tested) >= 20


def pool_page(seed: int) -> PoolPage:
    """A page whose body is what has a high first feature."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 3))
    return PoolPage(rows, rows[:, 0] > 0, np.full(30, 10.0), rng.normal(size=4))


def test_a_learner_reads_pages_like_those_it_has_learned_from_and_is_in_doubt_before() -> None:
    pages = [pool_page(seed) for seed in range(9)]
    scale = np.zeros(3), np.ones(3)

    little, much = PieceLearner(pages[:1], scale), PieceLearner(pages[:8], scale)

    assert much.f(pages[8]) > 0.9
    assert 0 < much.margin(pages[8]) < little.margin(pages[8]) < 0.5


def test_too_few_pages_are_refused() -> None:
    pages = [pool_page(seed) for seed in range(50)]
    with pytest.raises(InputError, match="needs 132 pages"):
        ChoiceStudy(pages)


def test_remembering_compares_the_other_pages_of_a_site_before_and_after(tmp_path: Path) -> None:
    pages = {f"corpus/{number}": labelled_page(number) for number in range(6)}
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())

    results = remembering_study.study(context, {"courier.example": pages})

    (row,) = results.tables[0].rows
    assert row[:2] == ("courier.example", 6)
    assert row[3] is not None
    assert row[4:] == (None, None)
    assert results.tables[1].rows[0][:2] == (2, 1)


def labelled_page(number: int) -> LabelledDocument:
    """A page whose long pieces of text are body."""
    document = parse(tiny.html(tuple(paragraph * (2 + number % 3) for paragraph in tiny.PARAGRAPHS)))
    long = np.diff(document.sums.characters) > 60
    return LabelledDocument(document, np.where(long, Label.BODY, Label.GARBAGE).astype(np.int8))
