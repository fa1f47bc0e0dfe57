"""Runs the study of the visual reader and reports on it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from broadsheet.base.journal import Row
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.corpora.site_splits import sample
from broadsheet.experiments._generated import ORIGIN, generate
from broadsheet.experiments._missing_pages import measure_missing
from broadsheet.experiments._page_journal import page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, ResultTable
from broadsheet.experiments.visual_study._visual_scores import OURS, PEER, measure, systems
from broadsheet.learning.intervals import bootstrap_by_group

NAME = "visual-title-date"
HELP = "the visual reader: title, date and body on sites never seen, beside the default reader and trafilatura"
#: The subpackages that the figures depend on.
ROOMS = ("base", "newsweb", "document", "models", "reading", "learning", "pages", "corpora", "experiments")

MAX_SECONDS = 120.0
MAX_MEMORY = 4_000_000_000
#: Groups with fewer pages are not listed.
MIN_PAGES = 10

_FIELDS = ("title", "date", "body")
_KINDS = frozenset({"article", "unknown"})


class ScoredPage(NamedTuple):
    """The labels of a page and the scores of all systems on it."""

    labels: PageLabels
    row: Row


def run(context: Context) -> ExperimentResults:
    """Measure the pages that have not been measured yet, and report on all."""
    if PEER not in systems():
        context.say(f"{PEER} is not installed, so it is left out: pip install 'broadsheet[bench]' installs it")
    chosen, pages = _choose(context)
    with page_journal(context, NAME, ROOMS, {"systems": list(systems())}) as journal:
        measure_missing(context, chosen, pages, journal, measure, max_seconds=MAX_SECONDS, max_memory=MAX_MEMORY)
        scored = [ScoredPage(labels, journal.known[labels.id]) for labels in chosen if labels.id in journal.known]
    for page in scored:
        if reason := page.row.get("left_out"):
            context.counters.count("left out", reason)
    return _report([page for page in scored if "left_out" not in page.row], context)


def _choose(context: Context) -> tuple[list[PageLabels], Iterator[LabelledPage]]:
    """Choose the pages of the dev sites with a labelled title or date."""
    if context.pages is None:
        context.say(f"no --pages given: using {ORIGIN}, so the figures say little about real pages")
        generated = [page for page in generate() if page.labels.split == "dev"][: context.sample]
        return [page.labels for page in generated], iter(generated)
    corpora = find_corpora([context.pages])
    labelled = [labels for corpus in corpora for labels in corpus.labels()]
    chosen = [
        labels
        for labels in labelled
        if labels.split == "dev" and labels.kind in _KINDS and (labels.gold.title or labels.gold.date)
    ]
    if context.sample is not None:
        chosen = sample(chosen, context.sample)
    return chosen, read_pages(corpora, chosen, context.counters)


def _report(pages: Sequence[ScoredPage], context: Context) -> ExperimentResults:
    names = [name for name in (*OURS, PEER) if all(name in page.row for page in pages)]
    styles = {True: "with style sheets", False: "without style sheets"}
    tables = [
        _overall(pages, names),
        _by("style sheets", pages, names, lambda page: styles[page.row["styled"]]),
        _by("language", pages, names, lambda page: page.labels.language or "unknown"),
        _by("corpus", pages, names, lambda page: page.labels.corpus),
    ]
    origin = "labelled pages of real sites" if context.pages else ORIGIN
    method = (
        f"{len(pages)} {origin}, of sites that no model was trained on. Titles are right if they are the labelled one "
        "up to case, punctuation and a short rest; dates if the day is right, on pages that show it as text; bodies "
        "have the mean F of their words. `visual:exact` is the reader exactly as published."
    )
    limits = "The visual reader sees only the style sheets that are part of a page: linked ones are not saved with it."
    return ExperimentResults(
        name=NAME, title="Titles and dates by what they look like", remarks=(method, limits), tables=tuple(tables)
    )


def _overall(pages: Sequence[ScoredPage], names: Sequence[str]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for field in _FIELDS:
        for name in names:
            known = [page for page in pages if page.row[name][field] is not None]
            scores = [page.row[name][field] for page in known]
            if known:
                interval = bootstrap_by_group(np.mean, [page.labels.site for page in known], scores)
                rows.append((field, name, len(known), interval.value, f"{interval.low:.3f} to {interval.high:.3f}"))
    return ResultTable("All pages", ("field", "system", "pages", "score", "95 % by site"), tuple(rows))


def _by(
    title: str, pages: Sequence[ScoredPage], names: Sequence[str], group_of: Callable[[ScoredPage], str]
) -> ResultTable:
    groups: dict[str, list[ScoredPage]] = {}
    for page in pages:
        groups.setdefault(group_of(page), []).append(page)
    rows: list[tuple[Cell, ...]] = []
    for group, members in sorted(groups.items()):
        for field in _FIELDS:
            known = [page for page in members if page.row[names[0]][field] is not None]
            if len(known) >= MIN_PAGES:
                means = (float(np.mean([page.row[name][field] for page in known])) for name in names)
                rows.append((group, field, len(known), *means))
    return ResultTable(f"By {title}", (title, "field", "pages", *names), tuple(rows))
