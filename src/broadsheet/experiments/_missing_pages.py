"""Measures the pages of an experiment that its journal does not know yet, in worker processes."""

from collections.abc import Callable, Iterator, Sequence

from broadsheet.base.journal import Row
from broadsheet.base.pool import Lost, Pool
from broadsheet.base.workers import OneAnswer
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.corpora.results import digest
from broadsheet.experiments._page_journal import PageJournal
from broadsheet.experiments.experiment import Context

#: Returns the name of a page and its figures.
Measure = Callable[[LabelledPage], tuple[str, Row]]


def measure_missing(  # noqa: PLR0913 - the optional arguments are keyword-only
    context: Context,
    chosen: Sequence[PageLabels],
    pages: Iterator[LabelledPage],
    journal: PageJournal,
    measure: Measure,
    *,
    max_seconds: float,
    max_memory: int,
) -> None:
    """Append the figures of new and changed pages to a journal; pages that cannot be measured are counted."""

    def missing() -> Iterator[LabelledPage]:
        for _, page in zip(context.track(chosen), pages, strict=False):
            known = journal.known.get(page.labels.id)
            if known is None or known["digest"] != digest(page):
                yield page

    pool = Pool(OneAnswer(measure), context.workers, context.clock, max_seconds, max_memory)
    for event in pool.run(missing()):
        if isinstance(event, Lost):
            journal.forget(event.task.labels.id)
            context.counters.count("left out", f"measuring the page: {event.reason}")
        else:
            page, row = event.message
            journal.append(page, {"digest": digest(event.task), **row})
