"""The experiment `news_articles` once more, on pages as a headless browser shows them after their scripts ran."""

from dataclasses import replace

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.results import digest
from broadsheet.crawling.rendering import Renderer
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.news_articles._news_articles_report import findings
from broadsheet.experiments.news_articles._news_articles_run import ROOMS as ROOMS_UNRENDERED
from broadsheet.experiments.news_articles._news_articles_run import blocks, is_known, measure, to_cases
from broadsheet.experiments.news_articles._page_selection import choose, count_kinds

NAME = "news-articles-rendered"
HELP = "news-articles on pages rendered by a browser; --sample sets their number (default 200)"

#: The subpackages that the figures depend on.
ROOMS = (*ROOMS_UNRENDERED, "crawling")

#: Rendering takes a second or more per page.
PAGES = 200


def run(context: Context) -> ExperimentResults:
    """Render and measure the pages, run all trials and report."""
    selection = choose(replace(context, sample=context.sample or PAGES))
    count_kinds(selection.pages, context.counters)
    with page_journal(context, NAME, ROOMS) as journal, Renderer() as renderer:
        for page in context.track(selection.pages):
            if not is_known(page, journal):
                _render(page, renderer, journal)
        rows = journal.known
        pages = [page for page in selection.pages if "left_out" not in rows[page.labels.id]]
        context.counters.count("left out", "not rendered", len(selection.pages) - len(pages))
        cases = to_cases(pages, [rows[page.labels.id]["factors"] for page in pages])
    kinds = [page.labels.kind for page in pages]
    return findings(NAME, cases, blocks(context, cases), kinds, f"{selection.origin}, rendered")


def _render(page: LabelledPage, renderer: Renderer, journal: PageJournal) -> None:
    try:
        rendered = renderer.render(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        journal.append(page.labels.id, {"digest": digest(page), "left_out": str(error)})
    else:
        measure(page, rendered.html, journal)
