"""Evaluation of extracted facts (title, date, authors) on labelled pages, per page and as a table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from broadsheet.base import pool
from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import Corpus
from broadsheet.corpora.corrected_labels import corrected
from broadsheet.corpora.evaluation import CorpusSelection
from broadsheet.corpora.field_measures import Fields, FieldScores, score_fields
from broadsheet.corpora.field_systems import FieldsOf, load_fields
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.corpora.page_readers import MAX_MEMORY, silence
from broadsheet.corpora.site_splits import sample
from broadsheet.learning.intervals import bootstrap

NOTHING = Fields(None, None, ())


@dataclass(frozen=True, slots=True)
class FieldResult:
    """The scores of one system on one page, and its error if it failed."""

    page: str
    corpus: str
    system: str
    scores: FieldScores
    error: str | None


def choose_pages(corpora: Sequence[Corpus], selection: CorpusSelection, counters: Counters) -> list[PageLabels]:
    """Choose pages with at least one labelled fact; pages without one are counted."""
    chosen = []
    for stated in (labels for corpus in corpora for labels in corpus.labels()):
        labels = stated if selection.as_labelled else corrected(stated)
        if selection.split in {None, labels.split} and selection.kind in {None, labels.kind}:
            if labels.gold.title or labels.gold.date or labels.gold.authors:
                chosen.append(labels)
            else:
                counters.count("left out", "neither title nor date nor authors are labelled")
    return chosen if selection.size is None else sample(chosen, selection.size, selection.seed)


def measure_fields(
    pages: Iterable[LabelledPage], systems: Sequence[str], workers: int, clock: Clock, limit: float
) -> Iterator[FieldResult]:
    """Yield the results of systems on pages, read in supervised processes; a lost process yields no facts."""
    readers = pool.Pool(FieldReaders(tuple(systems)), workers, clock, limit, MAX_MEMORY)
    for event in readers.run(pages):
        if isinstance(event, pool.TaskMessage):
            yield event.message
        else:
            done = {result.system for result in event.messages}
            for name in systems:
                if name not in done:
                    yield _result(event.task.labels, name, NOTHING, event.reason)


@dataclass(frozen=True, slots=True)
class FieldReaders:
    """The work of one process: it loads its systems once and reads one page after another."""

    systems: tuple[str, ...]

    def __call__(self) -> Callable[[LabelledPage], Iterator[FieldResult]]:
        """Load the systems."""
        silence()
        loaded = {name: load_fields(name) for name in self.systems}
        return lambda page: read_fields(page, loaded)


def read_fields(page: LabelledPage, systems: dict[str, FieldsOf]) -> Iterator[FieldResult]:
    """Yield the result of each system on a page; a system that fails yields no facts."""
    labels = page.labels
    for name, fields_of in systems.items():
        fields, error = NOTHING, None
        try:
            fields = fields_of(page.html, labels.url)
        except Exception as failure:  # noqa: BLE001 - any error of a peer is a result, and is counted
            error = type(failure).__name__
        yield _result(labels, name, fields, error)


def _result(labels: PageLabels, system: str, fields: Fields, error: str | None) -> FieldResult:
    return FieldResult(labels.id, labels.corpus, system, score_fields(fields, labels.gold), error)


def field_table(results: Iterable[FieldResult], seed: int = 0) -> list[dict[str, object]]:
    """Return one row per system: the score of each field with its interval and the number of pages."""
    by_system: dict[str, list[FieldResult]] = {}
    for result in sorted(results, key=lambda result: result.page):
        by_system.setdefault(result.system, []).append(result)
    rows: list[dict[str, object]] = []
    for system, members in by_system.items():
        row: dict[str, object] = {"system": system, "failed": sum(result.error is not None for result in members)}
        for field in FieldScores._fields:
            scores = [score for result in members if (score := getattr(result.scores, field)) is not None]
            interval = bootstrap(scores, seed) if scores else None
            row |= {
                field: interval and interval.value,
                f"{field}_low": interval and interval.low,
                f"{field}_high": interval and interval.high,
                f"{field}_pages": len(scores),
            }
        rows.append(row)
    return rows
