"""Learning curves: how good extraction is, by the number of annotated pages or sources, in random orders."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.experiments.memory_study._memory_pages import CLASS_COUNT, TaggedPages, collections
from broadsheet.experiments.memory_study._protocols import PROTOCOLS, DomainProtocol, MemorySettings
from broadsheet.experiments.memory_study._tag_scores import ELEMENTS, by_double_tag
from broadsheet.experiments.memory_study.domain_studies import ROOMS
from broadsheet.learning.memory_based import GroupHoldout

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "learning-curves"
HELP = "F by the number of annotated pages or sources, in random orders, on 12 pages at each size (--labelled)"

#: The published best settings.
SETTINGS: dict[DomainProtocol, MemorySettings] = {
    "single": MemorySettings("shared_variance"),
    "merged": MemorySettings("shared_variance"),
    "across": MemorySettings("chi_square", 7),
}
#: The sizes at which a curve is measured, as far as there are pages or sources, and in how many orders.
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160)
ORDERS = 5
#: At each size and in each order, so many pages are labelled by the others.
LABELLED = 12

_MEASURES = (
    "At each size, the first pages or sources of a random order are taken, and at most {} of them, drawn at random, "
    "are labelled by all others: a page by the other pages, or one page of a source by the pages of the other sources. "
    "F is the mean of title, heading and body, micro means by exact double tag. Within single domains, the curves of "
    "all domains with enough pages are averaged. The bands are one standard deviation over the orders."
)
_DIFFERENCE = (
    "The published curves are of one order each. They rise to about 150 merged pages; those of single domains have "
    "about 20 pages. Real domains here have four to twelve pages, so their curves end where the published ones begin."
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The F of all orders at one size."""

    size: int
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the orders."""
        return float(np.mean(self.scores))

    @property
    def deviation(self) -> float:
        """The standard deviation over the orders."""
        return float(np.std(self.scores))


def run(context: Context) -> ExperimentResults:
    """Measure every curve at every size."""
    tables, plots = [], []
    most = context.labelled or LABELLED
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS, "labelled": most}) as journal:
        for pages in collections(context):
            for protocol in PROTOCOLS:
                points = [
                    CurvePoint(size, scores)
                    for size in SIZES
                    if (scores := _measure(context, journal, pages, protocol, size))
                ]
                if points:
                    title = f"{protocol}, {pages.origin}"
                    tables.append(_table(title, protocol, points))
                    plots.append(_plot(title, protocol, points))
    return ExperimentResults(
        name=NAME,
        title="Memory-based learning: learning curves",
        remarks=(_MEASURES.format(most), _DIFFERENCE),
        tables=tuple(tables),
        plots=tuple(plots),
    )


def _measure(
    context: Context, journal: PageJournal, pages: TaggedPages, protocol: DomainProtocol, size: int
) -> tuple[float, ...]:
    """Return the F of every order at one size; empty if there are too few pages or sources."""
    key = f"{pages.digest()}/{protocol}/{size}"
    if key not in journal.known:
        scores = []
        for order in context.track(range(ORDERS)):
            rng = np.random.default_rng(order)
            parts = _parts(pages, protocol, size, rng)
            if parts:
                most = context.labelled or LABELLED
                scores.append(float(np.mean([_mean_f(part, protocol, most, rng) for part in parts])))
        journal.append(key, {"scores": scores})
    return tuple(journal.known[key]["scores"])


def _parts(pages: TaggedPages, protocol: DomainProtocol, size: int, rng: np.random.Generator) -> Sequence[TaggedPages]:
    """Return the pages to cross-validate together: of each domain with enough, of all pages, or of some domains."""
    if protocol == "single":
        domains = [pages.of_domain(domain) for domain in pages.domains]
        return [_first(part, rng, size) for part in domains if len(part.pages) >= size]
    if protocol == "merged":
        return [_first(pages, rng, size)] if len(pages.pages) >= size else []
    if len(pages.domains) < size:
        return []
    chosen = {pages.domains[number] for number in rng.permutation(len(pages.domains))[:size]}
    return [pages.select(number for number, page in enumerate(pages.pages) if page.domain in chosen)]


def _first(pages: TaggedPages, rng: np.random.Generator, size: int) -> TaggedPages:
    return pages.select(sorted(rng.permutation(len(pages.pages))[:size].tolist()))


def _mean_f(pages: TaggedPages, protocol: DomainProtocol, most: int, rng: np.random.Generator) -> float:
    """Return the mean F of the elements that occur in the labelled pages, as many as given."""
    settings = SETTINGS[protocol]
    across = protocol == "across"
    groups = pages.domain_of if across else pages.page_of
    candidates = _first_of_domains(pages) if across else list(range(len(pages.pages)))
    tested = np.isin(pages.page_of, rng.permutation(candidates)[:most])
    holdout = GroupHoldout(pages.features, pages.tags, groups, class_count=CLASS_COUNT, tested=tested)
    wanted = np.unique(groups[tested]).tolist()
    truth, found = [], []
    for fold, codes in holdout.classified(settings.weighting, settings.k, groups=wanted):
        truth.append(pages.tags[fold.members])
        found.append(codes)
    scores = [by_double_tag(np.concatenate(truth), np.concatenate(found), element) for element in ELEMENTS]
    return float(np.mean([score.f for score in scores if score.has_gold]))


def _first_of_domains(pages: TaggedPages) -> list[int]:
    domains = [page.domain for page in pages.pages]
    return [domains.index(domain) for domain in pages.domains]


def _table(title: str, protocol: DomainProtocol, points: Sequence[CurvePoint]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = [(p.size, p.mean, p.deviation, min(p.scores), max(p.scores)) for p in points]
    unit = "sources" if protocol == "across" else "pages"
    return ResultTable(f"Learning curve, {title}", (unit, "mean F", "deviation", "lowest", "highest"), tuple(rows))


def _plot(title: str, protocol: DomainProtocol, points: Sequence[CurvePoint]) -> Plot:
    band = [(point.mean - point.deviation, point.mean + point.deviation) for point in points]
    series = [Series(f"mean of {ORDERS} orders", [point.mean for point in points], band)]
    unit = "sources" if protocol == "across" else "pages"
    sizes = [str(point.size) for point in points]
    chart = Chart(f"Learning curve, {title}", unit, "mean F", sizes, series, (0.0, 1.0))
    return Plot(
        f"learning-curve-{protocol}-{title.split(', ')[1].split(maxsplit=1)[0]}", chart.title, line_chart(chart)
    )
