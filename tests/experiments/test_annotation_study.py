"""The studies of annotated pages: which pages are annotated and tested, and what is learned from them."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.piece_learner import PoolPage
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import parse
from broadsheet.experiments.annotation_study import active_learning_study, annotation_pools, remembering_study
from broadsheet.experiments.annotation_study.annotation_pools import AnnotationPool, KnownPage
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


def known_page(seed: int) -> KnownPage:
    """A page whose body is what has a high first feature, of one of four layouts."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 3))
    layout = np.zeros(200)
    layout[seed % 4] = 1.0
    return KnownPage(f"s{seed % 7}", PoolPage(rows, np.full(30, 10.0), layout), rows[:, 0] > 0)


def test_pages_are_divided_into_those_to_choose_from_and_those_to_test_on() -> None:
    pool = AnnotationPool("pool", [known_page(seed) for seed in range(70)])

    (candidates, tested), (again, _), (other, _) = (pool.divide(order) for order in (0, 0, 1))

    assert (len(candidates), len(tested)) == (35, 35)
    assert set(map(id, candidates)).isdisjoint(map(id, tested))
    assert candidates == again != other


def test_every_way_of_choosing_is_compared_with_random_choice_in_the_same_divisions(tmp_path: Path) -> None:
    pool = AnnotationPool("made pages", [known_page(seed) for seed in range(70)])
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())

    results = active_learning_study.study(context, [pool], orders=2)

    by_page = results.tables[0]
    assert [row[0] for row in by_page.rows] == [4, 8, 16, 24, 32]
    # All begin with the same pages.
    assert len(set(by_page.rows[0][1:5])) == 1
    assert all(isinstance(f, float) and f > 0.9 for f in by_page.rows[-1][1:5])
    assert results.plots[0].name == "active-learning-made"


def test_too_few_pages_are_refused(tmp_path: Path) -> None:
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())
    with pytest.raises(InputError, match="needs 64 labelled pages, not 50"):
        active_learning_study.study(context, [AnnotationPool("few", [known_page(seed) for seed in range(50)])])


def test_the_generated_archive_has_few_large_and_many_small_sources() -> None:
    sites = Counter(page.site for page in annotation_pools.generated_archive(2))

    assert sorted(sites.values()) == [40, 80]


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
