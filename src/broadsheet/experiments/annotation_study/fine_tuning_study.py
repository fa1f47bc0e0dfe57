"""Fine-tuning: F on the other pages of a site or kind against the number of its annotated pages, for both readers."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.annotation_study.adapted_reader import READERS, Annotated
from broadsheet.experiments.annotation_study.unseen_pages import MIN_GROUP_PAGES, PageGroup, UnseenPages
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.training.annotated_pages import MIN_PAGES

NAME = "fine-tuning"
HELP = "adapt the default and the memory reader to a few annotated pages of a site or kind, and read its other pages"
ROOMS = ("base", "document", "models", "reading", "learning", "outputs", "pages", "corpora", "training", "experiments")

COUNTS = (MIN_PAGES, 10, 20)
#: Random orders in which the pages of a group are annotated.
ORDERS = 3
#: At least so many pages are tested, and of a kind at most so many.
MIN_TESTED, MAX_TESTED = MIN_GROUP_PAGES - MIN_PAGES, 40
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


def run(context: Context) -> ExperimentResults:
    """Adapt both readers to more and more pages of each group."""
    if context.pages is None:
        raise InputError("fine-tuning needs --pages, a folder with labelled pages")
    pages = UnseenPages(context.pages, context.counters)
    return study(context, pages.groups(), pages.read)


def study(
    context: Context, groups: Sequence[PageGroup], read: Callable[[Sequence[PageLabels]], Sequence[Annotated]]
) -> ExperimentResults:
    """Run the experiment on some groups, whose pages `read` reads."""
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS}) as journal:
        for group, seed in context.track([(group, seed) for group in groups for seed in range(ORDERS)]):
            name = f"{group.name} {seed}"
            if name not in journal.known:
                journal.append(name, dict(learning_curve(read(group.order(seed)[: COUNTS[-1] + MAX_TESTED]))))
                context.say(f"{group.name}, order {seed + 1}: {journal.known[name]}")
        return _report(groups, journal)


def learning_curve(pages: Sequence[Annotated]) -> Iterator[tuple[str, float]]:
    """Yield the mean F by reader and number of annotated pages, which are the first ones, on the pages after them."""
    counts = [count for count in COUNTS if count + MIN_TESTED <= len(pages)]
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
    return (group.name, len(group.pages), round(_mean_of(curves, "tested") or 0), *means)


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
