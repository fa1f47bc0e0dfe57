"""What chosen pages teach: readers learn from pages chosen as `annotate --next` does, or at random, and read others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments.annotation_study import active_learning_study
from broadsheet.experiments.annotation_study.active_learning_study import CHOSEN, RANDOM, annotate
from broadsheet.experiments.annotation_study.adapted_reader import READERS, AdaptedReader, Annotated
from broadsheet.experiments.annotation_study.annotation_pools import KnownPage
from broadsheet.experiments.annotation_study.unseen_pages import PageGroup, UnseenPages
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, ResultTable
from broadsheet.reading import memory_reader
from broadsheet.reading.memory_reader import MemoryModels
from broadsheet.training.memory_training import MemoryTraining, remember

NAME = "chosen-pages"
HELP = "adapt the readers to pages that are chosen as `annotate --next` does, or at random, and compare how they read"
ROOMS = active_learning_study.ROOMS

#: Random divisions of the pages into those to choose from and those to test on.
ORDERS = 3
#: The pages that are annotated, the most to choose them from, and the most to test on.
ANNOTATED, CANDIDATES, TESTED = 16, 80, 30
BEFORE = "before"
_REMARK = (
    f"Of at most {CANDIDATES} pages that the shipped readers have not learned from, {ANNOTATED} are annotated, chosen"
    " at random or by coverage of doubt, as `annotate --next` does. Both readers are adapted to them as `train` does;"
    " memory alone remembers nothing else. All read the same other pages. F of the body, headings included, by"
    f" characters, mean of {ORDERS} random divisions; won counts the divisions in which chosen pages taught more."
)


def _remember_alone(pages: Sequence[Annotated], _: MemoryModels | None) -> MemoryModels:
    memory = remember((page for _, page in pages), MemoryTraining(weighting="gain_ratio", k=1))
    return replace(memory_reader.load_models(memory_reader.SHIPPED), memory=memory)


def _read_alone(document: Document, models: MemoryModels | None) -> Reading:
    if models is None:
        nothing = np.zeros(len(document.pieces))
        return Reading(nothing.astype(np.int8), nothing.astype(np.float32), memory_reader.NAME)
    return memory_reader.read_with(document, models, exact=True)


#: The published form of the memory reader, which begins with nothing.
MEMORY_ALONE: AdaptedReader[MemoryModels | None] = AdaptedReader(
    "memory alone", lambda: None, _remember_alone, _read_alone
)
LEARNERS: tuple[AdaptedReader[Any], ...] = (*READERS, MEMORY_ALONE)


def run(context: Context) -> ExperimentResults:
    """Choose pages in both ways, learn from them, and read other pages."""
    if context.pages is None:
        raise InputError(f"{NAME} needs --pages, a folder with labelled pages")
    pages = UnseenPages(context.pages, context.counters)
    pools = _pools(pages.groups())
    with page_journal(context, NAME, ROOMS) as journal:
        for pool, order in context.track([(pool, order) for order in range(ORDERS) for pool in pools]):
            key = f"{pool.name} {order}"
            if key not in journal.known:
                usable = pages.read(pool.order(order)[: CANDIDATES + TESTED])
                journal.append(key, dict(scores(usable)))
                context.say(f"{key}: {journal.known[key]}")
        return _report([pool.name for pool in pools], journal)


def _pools(groups: Sequence[PageGroup]) -> list[PageGroup]:
    """Return all pages of sites with several, and all of other kinds, one of each site."""
    named = {False: "sites with several pages", True: "other kinds of pages, one of each site"}
    return [
        PageGroup(name, is_kind, tuple(page for group in groups if group.is_kind == is_kind for page in group.pages))
        for is_kind, name in named.items()
    ]


def scores(pages: Sequence[Annotated]) -> Iterator[tuple[str, float]]:
    """Yield the mean F of each learner on the tested pages, before and by the way of choosing."""
    tested, candidates = [page for _, page in pages[:TESTED]], pages[TESTED:]
    known = [KnownPage.of(page) for _, page in candidates]
    learned = {}
    for criterion in (RANDOM, CHOSEN):
        *_, (done, _) = annotate(known, criterion, ANNOTATED)
        learned[criterion] = [candidates[place] for place in done]
    for reader in LEARNERS:
        shipped = reader.shipped()
        before = reader.mean_f(shipped, tested)
        yield f"{reader.name}, {BEFORE}", before
        for criterion, own in learned.items():
            models = reader.adapt(own, shipped)
            yield f"{reader.name}, {criterion}", before if models is shipped else reader.mean_f(models, tested)


def _report(pools: Sequence[str], journal: PageJournal) -> ExperimentResults:
    rows = [_row(pool, reader.name, journal.known) for pool in pools for reader in LEARNERS]
    columns = ("pages", "reader", BEFORE, RANDOM, CHOSEN, "lead", "lowest lead", "highest lead", "won")
    table = ResultTable(f"F after {ANNOTATED} annotated pages", columns, tuple(rows))
    return ExperimentResults(
        name=NAME, title="What chosen pages teach the readers", remarks=(_REMARK,), tables=(table,)
    )


def _row(pool: str, reader: str, known: Mapping[str, Mapping[str, float]]) -> tuple[Cell, ...]:
    divisions = [known[f"{pool} {order}"] for order in range(ORDERS)]
    means = [float(np.mean([each[f"{reader}, {way}"] for each in divisions])) for way in (BEFORE, RANDOM, CHOSEN)]
    leads = [each[f"{reader}, {CHOSEN}"] - each[f"{reader}, {RANDOM}"] for each in divisions]
    return (pool, reader, *means, float(np.mean(leads)), min(leads), max(leads), sum(lead > 0 for lead in leads))
