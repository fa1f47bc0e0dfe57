"""extraction within a single domain, merging domains, and across domains: the default settings on every domain."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from broadsheet.experiments._page_journal import page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, ResultTable
from broadsheet.experiments.memory_study._memory_pages import collections
from broadsheet.experiments.memory_study._protocols import DEFAULT, DomainProtocol, Predictions, predict
from broadsheet.experiments.memory_study._tag_scores import (
    ELEMENTS,
    ElementScore,
    by_double_tag,
    by_slot,
    macro_mean,
    pooled,
)
from broadsheet.reading.double_tags import DOUBLE_TAGS

ROOMS = ("base", "newsweb", "document", "models", "reading", "learning", "pages", "corpora", "experiments")

#: The published macro and micro means of F (16 domains, 222 pages), by protocol and element.
PUBLISHED: dict[DomainProtocol, dict[str, tuple[float, float]]] = {
    "single": {"title": (0.938, 0.930), "heading": (0.859, 0.905), "body": (0.955, 0.975)},
    "merged": {"title": (0.970, 0.977), "heading": (0.888, 0.915), "body": (0.981, 0.981)},
    "across": {"title": (0.311, 0.390), "heading": (0.169, 0.444), "body": (0.855, 0.863)},
}
_DIFFERENCE = (
    "The published pages are of 16 English sources with 14 pages each on average, tagged element by element. The real "
    "pages here have four to twelve pages a domain, of many years and layouts within a domain, and their tags come "
    "from aligning a labelled article with the page, so there is less to learn from within a domain, and some tags are "
    "wrong. Generated domains share a few layouts, so that across domains nothing in them is really unseen."
)


@dataclass(frozen=True, slots=True)
class DomainStudy:
    """One way to divide the pages, run as an experiment."""

    protocol: DomainProtocol
    NAME: str
    HELP: str
    ROOMS: tuple[str, ...] = ROOMS

    def run(self, context: Context) -> ExperimentResults:
        """Predict every page, and report per domain and element."""
        with page_journal(context, self.NAME, ROOMS) as journal:
            runs = [predict(context, journal, pages, self.protocol, DEFAULT) for pages in collections(context)]
        for run in runs:
            write_errors(run, context.folder / "errors")
        tables = [_means(self.protocol, runs)]
        tables += [_domains(run, element) for run in runs for element in ELEMENTS]
        return ExperimentResults(
            name=self.NAME,
            title=f"Memory-based learning: {self.HELP[0].lower()}{self.HELP[1:]}",
            remarks=(_pages(runs), _DIFFERENCE, "The wrong double tags of every page are in the folder `errors`."),
            tables=tuple(tables),
        )


def _scores(run: Predictions, element: str) -> list[ElementScore]:
    return [by_double_tag(*run.of_domain(domain), element) for domain in run.pages.domains]


def _means(protocol: DomainProtocol, runs: Sequence[Predictions]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for element in ELEMENTS:
            scores = _scores(run, element)
            macro, micro = macro_mean(scores), pooled(scores)
            slots = by_slot(run.truth, run.found, element)
            published = PUBLISHED[protocol][element]
            rows.append(
                (run.pages.origin, element, *macro, micro.precision, micro.recall, micro.f, slots.f, *published)
            )
    columns = (
        "pages", "element", "macro precision", "macro recall", "macro F", "micro precision", "micro recall", "micro F",
        "micro F by text and tail", "published macro F", "published micro F",
    )  # fmt: skip
    return ResultTable("Means over domains", columns, tuple(rows))


def _domains(run: Predictions, element: str) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for domain, score in zip(run.pages.domains, _scores(run, element), strict=True):
        count = len(run.pages.of_domain(domain).pages)
        measures = (score.precision, score.recall, score.f) if score.has_gold else (None, None, None)
        rows.append((domain, count, score.tp, score.fp, score.tn, score.fn, *measures))
    columns = ("domain", "pages", "TP", "FP", "TN", "FN", "precision", "recall", "F")
    return ResultTable(f"{element.capitalize()}, {run.pages.origin}", columns, tuple(rows))


def _pages(runs: Sequence[Predictions]) -> str:
    sizes = (
        f"{len(run.pages.pages)} {run.pages.origin} of {len(run.pages.domains)} domains, {len(run.truth):,} elements"
        for run in runs
    )
    return f"{'; '.join(sizes)}. IB1, gain ratio, k = 1."


def write_errors(run: Predictions, folder: Path) -> None:
    """Write one file per page with its wrong elements: number, true and predicted double tag."""
    folder.mkdir(parents=True, exist_ok=True)
    start = 0
    for page in run.pages.pages:
        here = slice(start, start + len(page.tags))
        truth, found = run.truth[here], run.found[here]
        lines = [
            f"{row} {DOUBLE_TAGS[truth[row]]} {DOUBLE_TAGS[found[row]]}\n" for row in np.flatnonzero(truth != found)
        ]
        (folder / f"{page.name.replace('/', '_')}.error").write_text("".join(lines))
        start += len(page.tags)


SINGLE = DomainStudy("single", "single-domain", "extraction within a single domain, from its other pages")
MERGED = DomainStudy("merged", "merged-domains", "extraction merging domains, from all other pages")
ACROSS = DomainStudy("across", "across-domains", "extraction across domains, from the pages of all other domains")
