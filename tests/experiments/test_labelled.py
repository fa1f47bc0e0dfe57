from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.page_scoring import Truth
from broadsheet.experiments._generated import ARTICLES_OF_A_SITE, SITES, generate
from broadsheet.experiments._labelled import labelled_pages
from broadsheet.experiments.experiment import Context
from tests.corpora import tiny


def context(tmp_path: Path, pages: Path | None = None, sample: int | None = None) -> Context:
    return Context(folder=tmp_path, clock=SystemClock(), counters=Counters(), pages=pages, sample=sample)


def test_pages_of_corpora_are_chosen_by_split(tmp_path: Path) -> None:
    rows = [tiny.row("a"), tiny.row("b", split="train"), tiny.row("c", page_type="section"), tiny.row("d", body=None)]
    corpus = tiny.folder(tmp_path, "harbour", rows)

    pages = labelled_pages(context(tmp_path, corpus), {"train": None, "dev": None})

    assert {labels.id: labels.split for labels in pages.chosen} == {"harbour/a": "dev", "harbour/b": "train"}
    assert [page.labels.id for page in pages.read(pages.chosen, Counters())] == ["harbour/a", "harbour/b"]


def test_the_smaller_of_two_sizes_applies(tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "harbour", [tiny.row(str(number)) for number in range(5)])

    pages = labelled_pages(context(tmp_path, corpus, sample=2), {"train": 1, "dev": 3})

    assert len(pages.chosen) == 2


def test_without_pages_generated_ones_are_used_with_a_notice(tmp_path: Path) -> None:
    lines: list[str] = []
    without = Context(folder=tmp_path, clock=SystemClock(), counters=Counters(), sample=3, say=lines.append)

    pages = labelled_pages(without, {"train": None, "dev": None})

    assert len(pages.chosen) == 6
    assert "pages of the simulated news web" in lines[0]
    assert pages.origin == "pages of the simulated news web"


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such corpus"):
        labelled_pages(context(tmp_path, tmp_path / "missing"), {"train": None, "dev": None})


def test_generated_pages_contain_their_labelled_text() -> None:
    pages = list(generate())

    assert len(pages) == SITES * ARTICLES_OF_A_SITE
    for page in pages[:: ARTICLES_OF_A_SITE // 2]:
        assert Truth.from_page(page).labelled.body.coverage > 0.95


def test_generated_sites_are_in_one_split_only() -> None:
    sides: dict[str, set[str | None]] = {}
    for page in generate():
        sides.setdefault(page.labels.site, set()).add(page.labels.split)

    assert all(len(splits) == 1 for splits in sides.values())
    assert set().union(*sides.values()) == {"train", "dev"}
