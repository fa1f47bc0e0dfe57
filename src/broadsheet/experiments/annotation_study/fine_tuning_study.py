"""Fine-tuning: F on the other pages of a site or kind against the number of its annotated pages, for both readers."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.label_errata import without_errata
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.site_splits import shuffled
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.annotation_study.adapted_reader import READERS, Annotated
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.training.corpus_training import MIN_PAGES
from broadsheet.training.labelled_documents import LEAST_COVERAGE, LEAST_PURITY, LabelledDocument

NAME = "fine-tuning"
HELP = "adapt the default and the memory reader to a few annotated pages of a site or kind, and read its other pages"
ROOMS = ("base", "document", "models", "reading", "learning", "outputs", "corpora", "training", "experiments")

COUNTS = (MIN_PAGES, 10, 20)
#: Random orders in which the pages of a group are annotated.
ORDERS = 3
#: At least so many pages are tested, and of a kind at most so many.
LEAST_TESTED, MOST_TESTED = 3, 40
#: Hosts of many sites, which have nothing in common.
_HOSTS = frozenset({"blogspot.com"})
#: Kinds of pages that neither reader has learned from, on any site.
_KINDS = {"other": "products, documentation, forums", "section": "lists"}
_REMARKS = (
    (
        "The shipped readers have learned only from articles of the train sites. They are adapted to the first pages of"
        " a random order of a site, or of a kind of page from many sites, as `train` does, and read its other pages."
        " Of a kind, every page is of another site. The mean F of the body, headings included, by characters, of"
        f" {ORDERS} orders."
    ),
    (
        "Gains are means over groups, against the shipped reader on the same pages; low and high are the 2.5th and"
        " 97.5th percentile of resampled groups. Worse counts groups that lost more than 0.002."
    ),
)

Curve: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one site, or of one kind from many sites."""

    name: str
    is_kind: bool
    pages: tuple[PageLabels, ...]

    def order(self, seed: int) -> list[PageLabels]:
        """Return the pages in a random order, as many as can be annotated and tested: of a kind, one of each site."""
        order = shuffled(self.pages, lambda page: page.id, seed)
        if self.is_kind:
            order = list({page.site: page for page in order}.values())
        return order[: COUNTS[-1] + MOST_TESTED]


def run(context: Context) -> ExperimentResults:
    """Adapt both readers to more and more pages of each group."""
    if context.pages is None:
        raise InputError("fine-tuning needs --pages, a folder with labelled pages")
    corpora = find_corpora([context.pages])
    rows = [without_errata(row) for corpus in corpora for row in corpus.labels()]
    return study(context, page_groups(rows), partial(_read, corpora, context.counters))


def page_groups(rows: Sequence[PageLabels]) -> list[PageGroup]:
    """Return the sites and kinds with enough pages that the shipped readers have not learned from."""
    unseen = [
        row
        for row in rows
        if row.gold.body and row.gold.trust in {"full", "silver"} and (row.split == "dev" or row.kind in _KINDS)
    ]
    often = Counter(row.site for row in unseen)
    least = COUNTS[0] + LEAST_TESTED
    sites = sorted(site for site, number in often.items() if number >= least and site not in _HOSTS)
    groups = [PageGroup(site, False, tuple(row for row in unseen if row.site == site)) for site in sites]
    for kind, name in _KINDS.items():
        own = tuple(row for row in unseen if row.kind == kind)
        if len({row.site for row in own}) >= least:
            groups.append(PageGroup(name, True, own))
    return groups


def _read(corpora: Sequence[Corpus], counters: Counters, wanted: Sequence[PageLabels]) -> dict[str, LabelledDocument]:
    """Return the pages whose labelled body is found in them; others are counted."""
    found = {}
    for page in read_pages(corpora, wanted, counters):
        try:
            truth = Truth.from_page(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        body = truth.labelled.body
        if body.coverage >= LEAST_COVERAGE and body.purity >= LEAST_PURITY:
            found[page.labels.id] = LabelledDocument(truth.document, truth.labelled.labels, page.labels.site)
        else:
            counters.count("left out", "too little of the labelled body is in the page, or too much else")
    return found


def study(
    context: Context,
    groups: Sequence[PageGroup],
    read: Callable[[Sequence[PageLabels]], Mapping[str, LabelledDocument]],
) -> ExperimentResults:
    """Run the experiment on some groups, whose pages `read` reads."""
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS}) as journal:
        for group, seed in context.track([(group, seed) for group in groups for seed in range(ORDERS)]):
            name = f"{group.name} {seed}"
            if name not in journal.known:
                order = group.order(seed)
                found = read(order)
                curve = learning_curve([(row, found[row.id]) for row in order if row.id in found])
                journal.append(name, dict(curve))
                context.say(f"{group.name}, order {seed + 1}: {journal.known[name]}")
        return _report(groups, journal)


def learning_curve(pages: Sequence[Annotated]) -> Iterator[tuple[str, float]]:
    """Yield the mean F by reader and number of annotated pages, which are the first ones, on the pages after them."""
    counts = [count for count in COUNTS if count + LEAST_TESTED <= len(pages)]
    if not counts:
        return
    tested = [page for _, page in pages[counts[-1] :]]
    yield "tested", len(tested)
    for reader in READERS:
        shipped = reader.shipped()
        before = reader.mean_f(shipped, tested)
        yield f"{reader.name} 0", before
        for count in counts:
            models = reader.adapt(pages[:count], shipped)
            yield f"{reader.name} {count}", before if models is shipped else reader.mean_f(models, tested)


def _report(groups: Sequence[PageGroup], journal: PageJournal) -> ExperimentResults:
    curves = {group.name: [journal.known[f"{group.name} {seed}"] for seed in range(ORDERS)] for group in groups}
    tables, plots = [], []
    for reader in (each.name for each in READERS):
        rows = [_row(reader, group, curves[group.name]) for group in groups]
        gains = [row for kind in (False, True) for row in _gains(reader, groups, curves, kind)]
        columns = ("group", "pages", "tested", "0", *map(str, COUNTS))
        gain_columns = ("of", "annotated", "groups", "F before", "F after", "gain", "low", "high", "worse")
        tables.append(ResultTable(f"F of the {reader} reader by the number of annotated pages", columns, tuple(rows)))
        tables.append(ResultTable(f"Gains of the {reader} reader", gain_columns, tuple(gains)))
        plots.append(_plot(reader, rows))
    return ExperimentResults(
        name=NAME,
        title="Fine-tuning on annotated pages",
        remarks=_REMARKS,
        tables=tuple(tables),
        plots=tuple(plots),
        figures={"curves": curves},
    )


def _row(reader: str, group: PageGroup, curves: Sequence[Curve]) -> tuple[Cell, ...]:
    means = [_mean_of(curves, f"{reader} {count}") for count in (0, *COUNTS)]
    return (group.name, len(group.pages), _mean_of(curves, "tested"), *means)


def _mean_of(curves: Sequence[Curve], key: str) -> float | None:
    """Return the mean over the orders, if all of them have so many pages."""
    return float(np.mean([curve[key] for curve in curves])) if all(key in curve for curve in curves) else None


def _gains(
    reader: str, groups: Sequence[PageGroup], curves: Mapping[str, Sequence[Curve]], kind: bool
) -> Iterator[tuple[Cell, ...]]:
    for count in COUNTS:
        means = [
            (_mean_of(curves[group.name], f"{reader} 0"), _mean_of(curves[group.name], f"{reader} {count}"))
            for group in groups
            if group.is_kind == kind
        ]
        own = [(before, after) for before, after in means if before is not None and after is not None]
        if own:
            before, after = (float(np.mean(column)) for column in zip(*own, strict=True))
            differences = [new - old for old, new in own]
            gain = bootstrap(differences)
            worse = sum(difference < -0.002 for difference in differences)
            what = "kinds" if kind else "sites"
            yield (what, count, len(own), before, after, gain.value, gain.low, gain.high, worse)


def _plot(reader: str, rows: Sequence[tuple[Cell, ...]]) -> Plot:
    series = [Series(str(group), [None if f is None else float(f) for f in means]) for group, _, _, *means in rows]
    drawn = [f for each in series for f in each.values if f is not None]
    chart = Chart(
        f"The {reader} reader, adapted to annotated pages",
        "annotated pages",
        "F on other pages",
        ["0", *map(str, COUNTS)],
        [each for each in series if any(f is not None for f in each.values)],
        (math.floor(10 * min(drawn)) / 10, 1.0),
    )
    return Plot(
        f"fine-tuning-{reader}", f"F of the {reader} reader by the number of annotated pages", line_chart(chart)
    )
