"""Fine-tuning: F on the other pages of a site or kind against the number of its annotated pages."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import SPLITS, PageLabels
from broadsheet.corpora.site_splits import shuffled
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.reading.trained import Models, load_models, save
from broadsheet.training import reader_training
from broadsheet.training.fine_tuning import fine_tune, line_f
from broadsheet.training.reader_training import TrainingData

NAME = "fine-tuning"
HELP = "adapt the default reader to a few annotated pages of a site or kind, and read its other pages"
ROOMS = ("document", "models", "reading", "training")

COUNTS = (2, 5, 10, 20)
#: Random orders in which the pages of a group are annotated.
ORDERS = 3
#: A site with fewer pages is not studied.
MIN_PAGES = 10
#: Hosts of many sites, which have nothing in common.
_HOSTS = frozenset({"blogspot.com"})
#: Kinds of pages that the nets of the experiment know nothing about, by language.
_LANGUAGES = {"el": "Greek", "pl": "Polish", "zh": "Chinese"}
_REMARKS = (
    (
        "Nets of the default reader, trained without any page of these sites and kinds, are adapted to 2 to 20 of"
        f" their pages, and read the others: the mean F of {ORDERS} random orders, by the words of lines. Of a kind,"
        " the tested pages are of other sites than the annotated ones."
    ),
    (
        "Gains are means over groups, against the nets before on the same pages; low and high are the 2.5th and 97.5th"
        " percentile of resampled groups. Worse counts groups that lost more than 0.002."
    ),
)


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one site, or of one kind from many sites."""

    name: str
    is_kind: bool
    pages: tuple[int, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of annotated pages, so that at least as many are left to test on."""
        return tuple(count for count in COUNTS if 2 * count <= len(self.pages))

    def order(self, pages: Sequence[PageLabels], seed: int) -> tuple[list[int], list[int]]:
        """Return the pages to annotate, in a random order, and those to test on: of a kind, from other sites."""
        most = self.counts[-1]
        order = shuffled(self.pages, lambda page: pages[page].id, seed)
        if not self.is_kind:
            return order[:most], order[most:]
        order = shuffled(order, lambda page: pages[page].site, seed)
        sites = {pages[page].site for page in order[:most]}
        return order[:most], [page for page in order[most:] if pages[page].site not in sites]


def run(context: Context) -> ExperimentResults:
    """Train nets without the studied pages, then adapt them to more and more of these."""
    if context.pages is None:
        raise InputError("fine-tuning needs --pages, a folder with labelled pages")
    data = reader_training.collect(context.pages.parent, frozenset(SPLITS), context.say)
    return study(context, data)


def study(context: Context, data: TrainingData) -> ExperimentResults:
    """Run the experiment on pages that are already measured."""
    groups = page_groups(data)
    base = base_models(context, data, groups)
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS}) as journal:
        tasks = [(group, seed) for group in groups for seed in range(ORDERS)]
        for group, seed in context.track(tasks):
            if f"{group.name} {seed}" not in journal.known:
                journal.append(f"{group.name} {seed}", _curve(data, base, group, seed))
                context.say(f"{group.name}, order {seed + 1}: {journal.known[f'{group.name} {seed}']}")
        return _report(groups, journal)


def page_groups(data: TrainingData) -> list[PageGroup]:
    """Return the sites with enough pages, and the kinds."""
    pages = data.table.pages
    usable = [place for place in reader_training.usable(data) if pages[place].gold_words]
    often = Counter(pages[place].labels.site for place in usable)
    sites = sorted(site for site, number in often.items() if number >= MIN_PAGES and site not in _HOSTS)
    groups = [
        PageGroup(site, False, tuple(place for place in usable if pages[place].labels.site == site)) for site in sites
    ]
    for language, name in _LANGUAGES.items():
        own = [place for place in usable if _language(pages[place].labels) == language]
        if len(own) >= 2 * COUNTS[0]:
            groups.append(PageGroup(name, True, tuple(own)))
    return groups


def _language(labels: PageLabels) -> str | None:
    return "zh" if labels.corpus == "chinese_wce" else labels.language if labels.language != "zh" else None


def base_models(context: Context, data: TrainingData, groups: Sequence[PageGroup]) -> Models:
    """Return nets that have seen no page of the studied sites; trained once, and kept in the folder."""
    folder = context.folder / "base"
    if not folder.is_dir():
        pages = data.table.pages
        held = {pages[place].labels.site for group in groups for place in group.pages}
        kept = [place for place in reader_training.usable(data) if pages[place].labels.site not in held]
        save(reader_training.train(data, kept, f"{len(kept)} pages of other sites", context.say), folder)
    return load_models(folder)


def _curve(data: TrainingData, base: Models, group: PageGroup, seed: int) -> dict[str, object]:
    """Return the mean F on the tested pages by the number of annotated pages."""
    weights = reader_training.length_weights(data.table)
    annotated, tested = group.order([page.labels for page in data.table.pages], seed)
    curve: dict[str, object] = {"tested": len(tested), "0": _mean_f(base, data, tested)}
    for count in group.counts:
        tuned = fine_tune(base, data.table, annotated[:count], weights)
        curve[str(count)] = _mean_f(tuned.models, data, tested)
        curve[f"rounds {count}"] = tuned.epochs
    return curve


def _mean_f(models: Models, data: TrainingData, pages: Sequence[int]) -> float:
    return round(float(np.mean([line_f(models, data.table, page) for page in pages])), 5)


def _report(groups: Sequence[PageGroup], journal: PageJournal) -> ExperimentResults:
    curves = {group.name: [journal.known[f"{group.name} {seed}"] for seed in range(ORDERS)] for group in groups}
    rows = [_row(group, curves[group.name]) for group in groups]
    gains = [row for kind in (False, True) for row in _gains(groups, curves, kind)]
    columns = ("group", "pages", "0", *map(str, COUNTS))
    gain_columns = ("of", "annotated", "groups", "F before", "F after", "gain", "low", "high", "worse")
    return ExperimentResults(
        name=NAME,
        title="Fine-tuning on annotated pages",
        remarks=_REMARKS,
        tables=(
            ResultTable("F by the number of annotated pages", columns, tuple(rows)),
            ResultTable("Gains", gain_columns, tuple(gains)),
        ),
        plots=tuple(_plots(gains)),
        figures={"curves": curves},
    )


def _row(group: PageGroup, curves: Sequence[dict[str, float]]) -> tuple[Cell, ...]:
    means = [_mean_of(curves, str(count)) for count in (0, *COUNTS)]
    return (group.name, len(group.pages), *means)


def _mean_of(curves: Sequence[dict[str, float]], key: str) -> float | None:
    return float(np.mean([curve[key] for curve in curves])) if key in curves[0] else None


def _gains(
    groups: Sequence[PageGroup], curves: dict[str, list[dict[str, float]]], kind: bool
) -> Iterator[tuple[Cell, ...]]:
    for count in COUNTS:
        own = [curves[group.name] for group in groups if group.is_kind == kind and count in group.counts]
        if not own:
            continue
        before = [_mean_of(curve, "0") or 0.0 for curve in own]
        after = [_mean_of(curve, str(count)) or 0.0 for curve in own]
        differences = [new - old for new, old in zip(after, before, strict=True)]
        gain = bootstrap(differences)
        worse = sum(difference < -0.002 for difference in differences)
        means = (float(np.mean(before)), float(np.mean(after)))
        yield ("kinds" if kind else "sites", count, len(own), *means, gain.value, gain.low, gain.high, worse)


def _plots(gains: Sequence[tuple[Cell, ...]]) -> Iterator[Plot]:
    for kind in ("sites", "kinds"):
        own = {row[1]: row for row in gains if row[0] == kind}
        if not own:
            continue
        counts = [count for count in COUNTS if count in own]

        def column(place: int, own: dict[Cell, tuple[Cell, ...]] = own, counts: Sequence[int] = counts) -> list[float]:
            return [0.0, *(float(own[count][place] or 0) for count in counts)]

        series = [Series("gain in F", column(5)), Series("2.5 % of groups", column(6)), Series("97.5 %", column(7))]
        values = [value for each in series for value in each.values if value is not None]
        chart = Chart(
            f"Fine-tuning on annotated pages of {kind}",
            "annotated pages",
            "gain in F on other pages",
            ["0", *map(str, counts)],
            series,
            (min(0.0, *values) - 0.002, max(values) + 0.002),
        )
        yield Plot(f"fine-tuning-{kind}", f"Gain in F against the number of annotated pages, {kind}", line_chart(chart))
