from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.page_scoring import Truth
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.generated import ARTICLES_OF_A_SITE, SITES, generate
from broadsheet.experiments.labelled import labelled_pages
from tests.corpora import tiny


def context(tmp_path: Path, pages: Path | None = None, sample: int | None = None) -> Context:
    return Context(folder=tmp_path, clock=SystemClock(), counters=Counters(), pages=pages, sample=sample)


def test_pages_of_corpora_are_chosen_by_split(tmp_path: Path) -> None:
    rows = [tiny.row("a"), tiny.row("b", split="train"), tiny.row("c", page_type="section"), tiny.row("d", body=None)]
    corpus = tiny.folder(tmp_path, "harbour", rows)

    found = labelled_pages(context(tmp_path, corpus), {"train": None, "dev": None})

    assert [labels.id for labels in found.of("dev")] == ["harbour/a"]
    assert [labels.id for labels in found.of("train")] == ["harbour/b"]
    assert [page.labels.id for page in found.read(found.chosen, Counters())] == ["harbour/a", "harbour/b"]


def test_the_smaller_of_two_sizes_holds(tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "harbour", [tiny.row(str(number)) for number in range(5)])

    found = labelled_pages(context(tmp_path, corpus, sample=2), {"train": 1, "dev": 3})

    assert len(found.chosen) == 2


def test_without_pages_the_news_web_makes_some_and_it_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    without = Context(folder=tmp_path, clock=SystemClock(), counters=Counters(), sample=3, say=said.append)

    found = labelled_pages(without, {"train": None, "dev": None})

    assert len(found.chosen) == 6
    assert "pages that the news web makes" in said[0]
    assert found.origin == "pages that the news web makes"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such corpus"):
        labelled_pages(context(tmp_path, tmp_path / "missing"), {"train": None, "dev": None})


def test_generated_pages_hold_the_text_that_they_are_labelled_with() -> None:
    pages = list(generate())

    assert len(pages) == SITES * ARTICLES_OF_A_SITE
    for page in pages[:: ARTICLES_OF_A_SITE // 2]:
        assert Truth.of(page).labelled.body.coverage > 0.95


def test_generated_sites_are_on_one_side_of_the_split_alone() -> None:
    sides: dict[str, set[str | None]] = {}
    for page in generate():
        sides.setdefault(page.labels.site, set()).add(page.labels.split)

    assert all(len(splits) == 1 for splits in sides.values())
    assert set().union(*sides.values()) == {"train", "dev"}
