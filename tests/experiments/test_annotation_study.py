"""The studies of annotated pages: which pages are annotated and tested, and what makes a reading doubtful."""

import numpy as np
import pytest
from numpy.typing import NDArray

from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.experiments.annotation_study.active_learning_study import LineReading, PoolPage
from broadsheet.experiments.annotation_study.fine_tuning_study import PageGroup
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


def marked(marks: str) -> NDArray[np.bool_]:
    return np.array([mark == "x" for mark in marks])


def reading(probabilities: list[float], chosen: str) -> LineReading:
    return LineReading(np.array(probabilities), marked(chosen), np.full(len(chosen), 10.0))


def pool_page(coreex: str, headings: str, title: int | None) -> PoolPage:
    return PoolPage(0, "s", marked(coreex), marked(headings), title)


def test_a_reading_is_doubtful_by_its_own_margin_by_coreex_and_by_its_structure() -> None:
    sure, unsure = reading([0.0, 1.0, 1.0, 0.0], ".xx."), reading([0.5, 0.5, 0.5, 0.5], "xxxx")

    assert sure.margin == pytest.approx(0.0)
    assert unsure.margin == pytest.approx(1 - 2 * 20 / (40 + 20))
    assert sure.disagreement(pool_page(".xx.", "....", 0)) == pytest.approx(0.0)
    assert sure.disagreement(pool_page("..xx", "....", 0)) == pytest.approx(0.5)
    assert sure.structure(pool_page("....", "....", 0)) == 0.0
    assert sure.structure(pool_page("....", ".xx.", 0)) == 1.0
    assert sure.structure(pool_page("....", "....", None)) == 1.0
