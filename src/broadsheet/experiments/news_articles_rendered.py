"""The experiment `news_articles` once more, on pages as a headless browser shows them after their scripts ran."""

from dataclasses import replace

from broadsheet.base.errors import InputError
from broadsheet.corpora.page import LabelledPage
from broadsheet.corpora.results import digest
from broadsheet.crawling.rendering import Renderer
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.findings import Findings
from broadsheet.experiments.journal import Journal
from broadsheet.experiments.news_articles.experiment import blocks, measure, to_cases
from broadsheet.experiments.news_articles.pages import choose, count_kinds
from broadsheet.experiments.news_articles.report import findings

NAME = "news-articles-rendered"
HELP = "news-articles on pages as a browser shows them; --sample says how many (200)"

#: A page takes a browser a second or more.
PAGES = 200


def run(context: Context) -> Findings:
    """Render and measure the pages, run all trials and report."""
    selection = choose(replace(context, sample=context.sample or PAGES))
    count_kinds(selection.pages, context.counters)
    with Journal(context.folder / "pages.jsonl", {"experiment": NAME}) as journal, Renderer() as renderer:
        for page in context.track(selection.pages):
            if page.labels.id not in journal.known:
                _render(page, renderer, journal)
        rows = journal.known
        pages = [page for page in selection.pages if "left_out" not in rows[page.labels.id]]
        context.counters.count("left out", "not rendered", len(selection.pages) - len(pages))
        cases = to_cases(pages, [rows[page.labels.id]["factors"] for page in pages])
    kinds = [page.labels.kind for page in pages]
    return findings(NAME, cases, blocks(context, cases), kinds, f"{selection.origin}, rendered")


def _render(page: LabelledPage, renderer: Renderer, journal: Journal) -> None:
    try:
        rendered = renderer.render(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        journal.append(page.labels.id, {"digest": digest(page), "left_out": str(error)})
    else:
        measure(page, rendered.html, journal)
