"""The time of the visual reader, beside a browser that renders the same pages and beside the default reader."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Row
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.results import digest
from broadsheet.crawling.rendering import Renderer
from broadsheet.document import parse
from broadsheet.experiments._labelled import labelled_pages
from broadsheet.experiments._page_journal import page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, ResultTable
from broadsheet.reading import read

NAME = "visual-time"
HELP = "the time of the visual reader beside a rendering browser and the default reader; --sample pages (default 60)"
#: The subpackages that the figures depend on.
ROOMS = ("base", "newsweb", "document", "models", "reading", "crawling", "pages", "corpora", "experiments")

#: Rendering takes a second or more per page.
PAGES = 60
#: Our times are the shortest of this many runs; a browser runs once, because it keeps what it has loaded.
REPEATS = 3
BROWSER = "rendering browser"
READERS = ("visual", "default")


def run(context: Context) -> ExperimentResults:
    """Time the pages that have not been timed yet, and report on all."""
    chosen = labelled_pages(replace(context, sample=context.sample or PAGES), {"train": 0, "dev": None})
    with page_journal(context, NAME, ROOMS) as journal, Renderer() as renderer:
        pages = chosen.read(chosen.chosen, context.counters)
        for _, page in zip(context.track(chosen.chosen), pages, strict=False):
            known = journal.known.get(page.labels.id)
            if known is None or known["digest"] != digest(page):
                journal.append(page.labels.id, {"digest": digest(page), **measure(page, renderer)})
        rows = [journal.known[labels.id] for labels in chosen.chosen if labels.id in journal.known]
    for row in rows:
        if reason := row.get("left_out"):
            context.counters.count("left out", reason)
    return _report([row for row in rows if "left_out" not in row], chosen.origin)


def measure(page: LabelledPage, renderer: Renderer) -> Row:
    """Return the seconds that each way takes for one page, and whether it has style sheets."""
    try:
        document = parse(page.html, page.labels.url, encoding="utf-8")
        begin = time.perf_counter()
        renderer.render(page.html, page.labels.url, encoding="utf-8")
    except InputError as error:
        return {"left_out": f"the page is refused: {type(error).__name__}"}
    row: Row = {"styled": len(document.rows("style")) > 0, BROWSER: time.perf_counter() - begin}
    return row | {name: _shortest(lambda name=name: _read(page, name)) for name in READERS}  # type: ignore[misc]


def _read(page: LabelledPage, reader: str) -> None:
    read(parse(page.html, page.labels.url, encoding="utf-8"), reader)


def _shortest(work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def _report(rows: Sequence[Row], origin: str) -> ExperimentResults:
    groups = {
        "all": rows,
        "with style sheets": [row for row in rows if row["styled"]],
        "without style sheets": [row for row in rows if not row["styled"]],
    }
    cells: list[tuple[Cell, ...]] = []
    for group, members in groups.items():
        for name in (BROWSER, *READERS) if members else ():
            seconds = np.array([row[name] for row in members])
            times = float(sum(row[BROWSER] for row in members) / seconds.sum())
            cells.append((group, name, len(members), *(1000 * np.array([np.median(seconds), seconds.mean()])), times))
    method = (
        f"{len(rows)} {origin}. Elapsed time, of parsing and reading by the readers, and of a headless browser that "
        "runs the page's scripts until it is still, without loading anything else. The readers' style sheets are "
        "cached, as on the second page of a site."
    )
    columns = ("pages", "way", "number", "median ms", "mean ms", "times faster than the browser")
    return ExperimentResults(
        name=NAME,
        title="The time of the visual reader",
        remarks=(method,),
        tables=(ResultTable("Time per page", columns, tuple(cells)),),
    )
