"""Fine-tuning: F on the other pages of a site or kind against the number of its annotated pages, for both readers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.label_errata import without_errata
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.site_splits import shuffled
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.reading import memory_reader, trained
from broadsheet.training.corpus_training import MIN_PAGES, adapt_nets
from broadsheet.training.labelled_documents import LEAST_COVERAGE, LEAST_PURITY, LabelledDocument
from broadsheet.training.memory_adaptation import remember_pages

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
_TEXT = (Label.BODY, Label.HEADING)
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

Annotated: TypeAlias = tuple[PageLabels, LabelledDocument]
Reads: TypeAlias = Callable[[LabelledDocument], NDArray[np.int8]]
Curve: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one site, or of one kind from many sites."""

    name: str
    is_kind: bool
    pages: tuple[PageLabels, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of annotated pages, so that enough are left to test on."""
        return tuple(count for count in COUNTS if count + LEAST_TESTED <= len(self.pages))

    def order(self, seed: int) -> tuple[list[PageLabels], list[PageLabels]]:
        """Return the pages to annotate, in a random order, and those to test on: of a kind, one page of each site."""
        order = shuffled(self.pages, lambda page: page.id, seed)
        if self.is_kind:
            order = list({page.site: page for page in order}.values())
        most = self.counts[-1]
        return order[:most], order[most : most + MOST_TESTED]


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
                annotated, tested = group.order(seed)
                found = read([*annotated, *tested])
                learned = [(row, found[row.id]) for row in annotated if row.id in found]
                curve = _curve(group.counts, learned, [found[row.id] for row in tested if row.id in found])
                journal.append(name, dict(curve))
                context.say(f"{group.name}, order {seed + 1}: {journal.known[name]}")
        return _report(groups, journal)


def _curve(
    counts: Sequence[int], learned: Sequence[Annotated], tested: Sequence[LabelledDocument]
) -> Iterator[tuple[str, float]]:
    """Yield the mean F on the tested pages by reader and number of annotated pages."""
    yield "tested", len(tested)
    for count in (0, *counts):
        if count <= len(learned):
            for name, reads in _adapted(learned[:count]).items():
                yield f"{name} {count}", _mean_f(reads, tested)


def _adapted(learned: Sequence[Annotated]) -> dict[str, Reads]:
    """Return both readers as `train` adapts them to pages; to none, they are as shipped."""
    nets, memory = trained.load_models(trained.SHIPPED), memory_reader.load_models(memory_reader.SHIPPED)
    if learned:
        nets = adapt_nets(learned, nets).models
        memory = remember_pages(memory, [page for _, page in learned]).models
    return {
        trained.NAME: lambda page: trained.read_with(page.document, nets).labels,
        memory_reader.NAME: lambda page: memory_reader.read_with(page.document, memory).labels,
    }


def _mean_f(reads: Reads, pages: Sequence[LabelledDocument]) -> float:
    return round(float(np.mean([_f(reads(page), page) for page in pages])), 5)


def _f(labels: NDArray[np.int8], page: LabelledDocument) -> float:
    """Return the F of the body of a page with its headings, by characters."""
    characters = np.diff(page.document.sums.characters)
    found, expected = np.isin(labels, _TEXT), np.isin(page.labels, _TEXT)
    total = int(characters[found].sum() + characters[expected].sum())
    return 2 * int(characters[found & expected].sum()) / total if total else 1.0


def _report(groups: Sequence[PageGroup], journal: PageJournal) -> ExperimentResults:
    curves = {group.name: [journal.known[f"{group.name} {seed}"] for seed in range(ORDERS)] for group in groups}
    tables, plots = [], []
    for reader in (trained.NAME, memory_reader.NAME):
        rows = [_row(reader, group, curves[group.name]) for group in groups]
        gains = [row for kind in (False, True) for row in _gains(reader, groups, curves, kind)]
        columns = ("group", "pages", "0", *map(str, COUNTS))
        gain_columns = ("of", "annotated", "groups", "F before", "F after", "gain", "low", "high", "worse")
        tables.append(ResultTable(f"F of the {reader} reader by the number of annotated pages", columns, tuple(rows)))
        tables.append(ResultTable(f"Gains of the {reader} reader", gain_columns, tuple(gains)))
        plots.append(_plot(reader, gains))
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
    return (group.name, len(group.pages), *means)


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


def _plot(reader: str, gains: Sequence[tuple[Cell, ...]]) -> Plot:
    series = []
    for kind in ("sites", "kinds"):
        own = {row[1]: row[5] for row in gains if row[0] == kind}
        values = [own.get(count) for count in COUNTS]
        series.append(Series(kind, [0.0, *(None if value is None else float(value) for value in values)]))
    drawn = [value for each in series for value in each.values if value is not None]
    chart = Chart(
        f"Fine-tuning the {reader} reader on annotated pages",
        "annotated pages",
        "gain in F on other pages",
        ["0", *map(str, COUNTS)],
        series,
        (min(drawn) - 0.01, max(drawn) + 0.01),
    )
    return Plot(f"fine-tuning-{reader}", f"Gain in F of the {reader} reader by annotated pages", line_chart(chart))
