"""Runs the experiment: measures the factors of every page, then both treatments under both divisions."""

import numpy as np

from broadsheet.base.errors import LimitError
from broadsheet.base.journal import Row
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.results import digest
from broadsheet.document import parse
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.news_articles._factors import TREATMENTS, Factors
from broadsheet.experiments.news_articles._news_articles_report import TreatmentScores, findings
from broadsheet.experiments.news_articles._page_selection import choose, count_kinds
from broadsheet.experiments.news_articles._trials import DIVISIONS, TRIALS, PageCases, scores

NAME = "news-articles"
HELP = "articles identified by C4.5 from two readers, with and without link-target features"

#: The subpackages that the figures depend on.
ROOMS = (
    "base", "newsweb", "document", "models", "reading", "pages", "learning", "sources", "corpora", "training",
    "experiments",
)  # fmt: skip


def run(context: Context) -> ExperimentResults:
    """Measure the pages, run all trials and report."""
    selection = choose(context)
    count_kinds(selection.pages, context.counters)
    with page_journal(context, NAME, ROOMS) as journal:
        for page in context.track(selection.pages):
            if not is_known(page, journal):
                measure(page, page.html, journal)
        pages = [page for page in selection.pages if "left_out" not in journal.known[page.labels.id]]
        cases = to_cases(pages, [journal.known[page.labels.id]["factors"] for page in pages])
    return findings(NAME, cases, blocks(context, cases), [page.labels.kind for page in pages], selection.origin)


def is_known(page: LabelledPage, journal: PageJournal) -> bool:
    """Return whether the current version of a page has been measured."""
    known = journal.known.get(page.labels.id)
    return known is not None and known["digest"] == digest(page)


def measure(page: LabelledPage, html: bytes | str, journal: PageJournal) -> None:
    """Measure a page and record its factors."""
    journal.append(page.labels.id, {"digest": digest(page), **_factors_row(page, html)})


def to_cases(pages: list[LabelledPage], factors: list[Row]) -> PageCases:
    """Combine pages and their factors."""
    truth = np.array([page.labels.kind == "article" for page in pages], np.bool_)
    return PageCases(factors, truth, np.array([page.labels.site for page in pages]))


def blocks(context: Context, cases: PageCases) -> list[TreatmentScores]:
    """Run every treatment under every division."""
    runs = [(division, name) for division in DIVISIONS for name in TREATMENTS]
    return [
        TreatmentScores(division, name, scores(cases, TREATMENTS[name], division, TRIALS))
        for division, name in context.track(runs)
    ]


def _factors_row(page: LabelledPage, html: bytes | str) -> Row:
    try:
        document = parse(html, page.labels.url, encoding="utf-8" if isinstance(html, bytes) else None)
    except LimitError as error:
        return {"left_out": str(error)}
    return {"factors": Factors.measure(document).to_row()}
