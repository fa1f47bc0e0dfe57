"""Runs the study: every page under every setting, with constants chosen on some sites and evaluated on others."""

from collections.abc import Iterator

from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.experiments._labelled import LabelledPages, labelled_pages
from broadsheet.experiments._missing_pages import measure_missing
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments.coreex_study._coreex_report import findings
from broadsheet.experiments.coreex_study._grid import REPEATS, SETTINGS, GridMeasurements, measure
from broadsheet.experiments.coreex_study._judged import JudgedPage
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults

NAME = "coreex"
HELP = "CoreEx: its constants by grid search, then precision, recall and time, word-weighted and by node"

#: The subpackages that the figures depend on.
ROOMS = ("base", "newsweb", "document", "models", "reading", "learning", "pages", "corpora", "experiments")

#: The paper also chose its constants on 500 pages; all other pages are used for evaluation.
SIZES: dict[Split, int | None] = {"train": 500, "dev": None}

#: Limits on all settings of one page.
MAX_SECONDS = 300.0
MAX_MEMORY = 4_000_000_000


def run(context: Context) -> ExperimentResults:
    """Measure the pages that have not been measured yet, and report on all."""
    pages = labelled_pages(context, SIZES)
    with page_journal(context, NAME, ROOMS, {"settings": len(SETTINGS), "repeats": REPEATS}) as journal:
        measure_missing(
            context,
            pages.chosen,
            pages.read(pages.chosen, context.counters),
            journal,
            measure,
            max_seconds=MAX_SECONDS,
            max_memory=MAX_MEMORY,
        )
        judged = list(_judged(context, pages, journal))
    return findings(judged, pages.origin)


def _judged(context: Context, pages: LabelledPages, journal: PageJournal) -> Iterator[JudgedPage]:
    """Yield the chosen pages with their figures, in a fixed order; unusable pages are counted."""
    for labels in sorted(pages.chosen, key=_by_id):
        row = journal.known.get(labels.id)
        if row is None:
            # Missing pages have already been counted.
            continue
        if reason := row.get("left_out"):
            context.counters.count("left out", reason)
        else:
            yield JudgedPage(labels, GridMeasurements.from_row(row))


def _by_id(labels: PageLabels) -> str:
    return labels.id
