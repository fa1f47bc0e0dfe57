"""The classifiers of the memory reader, taught on parts of the sites."""

import numpy as np
import pytest

from broadsheet.base.records import Label
from broadsheet.document import parse
from broadsheet.models import model_files
from broadsheet.models.memory_files import MemoryModel
from broadsheet.training._memory_scores import PageScore, score_lines
from broadsheet.training._memory_stages import PARTS, Boosting, VotedPage, contexts_by_part, models_of_parts
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.memory_training import MemoryTraining, remember
from tests.corpora import tiny

BOOSTING = Boosting(rounds=20, leaves=4)


def labelled(number: int) -> LabelledDocument:
    """A page of its own site: its long pieces of text are body, and its first two title and heading."""
    document = parse(tiny.html(tuple(paragraph * (1 + number % 5) for paragraph in tiny.PARAGRAPHS)))
    long = np.diff(document.sums.characters) > 60
    labels = np.where(long, Label.BODY, Label.GARBAGE).astype(np.int8)
    labels[:2] = Label.TITLE, Label.HEADING
    return LabelledDocument(document, labels, f"site-{number}.example")


@pytest.fixture(scope="module")
def memory() -> MemoryModel:
    return remember(iter([labelled(100)]), MemoryTraining())


@pytest.fixture(scope="module")
def pages(memory: MemoryModel) -> list[VotedPage]:
    return [VotedPage.of(labelled(number), memory) for number in range(24)]


def test_every_part_has_sites_and_a_site_is_in_one_part(pages: list[VotedPage]) -> None:
    assert {page.part for page in pages} == set(PARTS)


def test_what_is_measured_on_a_part_has_learned_nothing_from_it(memory: MemoryModel, pages: list[VotedPage]) -> None:
    others = [page for page in pages if page.part != 2]

    with_all = models_of_parts(memory, pages, contexts_by_part(pages, BOOSTING), (0, 1), BOOSTING)
    without = models_of_parts(memory, others, contexts_by_part(others, BOOSTING), (0, 1), BOOSTING)

    assert model_files.to_bytes(with_all.context) == model_files.to_bytes(without.context)
    assert model_files.to_bytes(with_all.review) == model_files.to_bytes(without.review)


def test_scores_are_pooled_over_pages_and_averaged_over_sites(memory: MemoryModel, pages: list[VotedPage]) -> None:
    models = models_of_parts(memory, pages, contexts_by_part(pages, BOOSTING), PARTS, BOOSTING)

    lines = list(score_lines("all", [PageScore.of(page, models) for page in pages]))

    assert lines[0] == "all: 24 pages of 24 sites"
    assert "  decided, body by piece: precision 1.000, recall 1.000, F 1.000, mean F of sites 1.000" in lines
    assert not any("at least" in line for line in lines)
