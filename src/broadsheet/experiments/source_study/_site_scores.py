"""Precision, recall and F1 per site, snapshot and label, and their means over sites."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.experiments._plots import Chart, Series, bar_chart, line_chart
from broadsheet.experiments.experiment_results import Cell, Plot, ResultTable
from broadsheet.learning.confusion import confusion

#: Figures on articles are over sites that have at least this many.
MIN_ARTICLES = 30
#: The snapshots of the summary; a site with fewer snapshots counts with its last one.
SHOWN_SNAPSHOTS = (1, 3, 6, 12, 24, 48, 150)


@dataclass(frozen=True, slots=True)
class KindScore:
    """How well one label was told on one site after a number of snapshots."""

    variant: str
    site: str
    snapshot: int
    hours: float
    label: str
    number: int
    precision: float
    recall: float
    f1: float


def score_kinds(
    name: tuple[str, str, int, float], truth: NDArray[np.intp], predicted: NDArray[np.intp]
) -> list[KindScore]:
    """Score predictions where the truth is known; `name` is the variant, site, snapshot and hours."""
    known = truth >= 0
    counts = confusion(truth[known], predicted[known], len(KINDS))
    right, wanted, given = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    return [
        KindScore(
            *name,
            label=kind,
            number=int(wanted[row]),
            precision=float(right[row] / max(given[row], 1)),
            recall=float(right[row] / max(wanted[row], 1)),
            f1=float(2 * right[row] / max(wanted[row] + given[row], 1)),
        )
        for row, kind in enumerate(KINDS)
        if wanted[row] or given[row]
    ]


def json_rows(scores: Iterable[KindScore], variant: str) -> list[dict[str, Cell]]:
    """Return the rows that other programs compare: site, snapshot, label, precision, recall and F1."""
    names = ("site", "snapshot", "label", "precision", "recall", "f1")
    return [{name: asdict(score)[name] for name in names} for score in scores if score.variant == variant]


@dataclass(frozen=True, slots=True)
class Means:
    """Means over sites."""

    article_f: float
    section_f: float
    section_recall: float
    other_f: float
    macro_f: float


def at_snapshot(scores: Sequence[KindScore], variant: str, snapshot: int) -> list[KindScore]:
    """Return the scores of a variant after some snapshots, or after the last one before them that a site has."""
    own = [score for score in scores if score.variant == variant]
    last: dict[str, int] = {}
    for score in own:
        if score.snapshot <= snapshot:
            last[score.site] = max(last.get(score.site, 0), score.snapshot)
    return [score for score in own if score.snapshot == last.get(score.site)]


def means(scores: Sequence[KindScore]) -> Means:
    """Return means over sites; labels that a site does not have are left out, and articles where there are few."""
    sites: dict[str, list[float]] = {}
    for score in scores:
        if score.number:
            sites.setdefault(score.site, []).append(score.f1)
    few = {score.site for score in scores if score.label == "article" and score.number < MIN_ARTICLES}

    def mean(label: str, field: str) -> float:
        found = [
            getattr(s, field)
            for s in scores
            if s.label == label and s.number and not (label == "article" and s.site in few)
        ]
        return float(np.mean(found)) if found else float("nan")

    macro = float(np.mean([np.mean(each) for each in sites.values()])) if sites else float("nan")
    return Means(mean("article", "f1"), mean("section", "f1"), mean("section", "recall"), mean("other", "f1"), macro)


def summary_table(scores: Sequence[KindScore], variants: Sequence[str]) -> ResultTable:
    """Return the means over sites per variant and snapshot."""
    rows: list[tuple[Cell, ...]] = []
    # Beyond what most sites have, the means would be those of other snapshots.
    usual = int(np.median(list(_last_snapshots(scores).values())))
    for variant in variants:
        for snapshot in [number for number in SHOWN_SNAPSHOTS if number <= usual] or [usual]:
            found = means(at_snapshot(scores, variant, snapshot))
            rows.append((variant, snapshot, *asdict(found).values()))
    columns = ("features", "snapshot", "articles F1", "sections F1", "sections recall", "other F1", "macro F1")
    return ResultTable("Means over sites", columns, tuple(rows))


def _last_snapshots(scores: Sequence[KindScore]) -> dict[str, int]:
    last: dict[str, int] = {}
    for score in scores:
        last[score.site] = max(last.get(score.site, 0), score.snapshot)
    return last


def sites_table(scores: Sequence[KindScore], variant: str, snapshot: int = 24) -> ResultTable:
    """Return F1 per label of each site."""
    by_site: dict[str, dict[str, KindScore]] = {}
    for score in at_snapshot(scores, variant, snapshot):
        by_site.setdefault(score.site, {})[score.label] = score
    rows = []
    for site, own in sorted(by_site.items()):
        figures = [own[kind].f1 if kind in own and own[kind].number else None for kind in KINDS]
        recall = own["section"].recall if "section" in own and own["section"].number else None
        rows.append((site, *figures, recall, sum(score.number for score in own.values())))
    columns = ("site", "articles F1", "sections F1", "other F1", "sections recall", "targets")
    return ResultTable(f"Sites at snapshot {snapshot} or their last: {variant}", columns, tuple(rows))


def curves(scores: Sequence[KindScore], variants: Sequence[str], name: str, switch: int | None = None) -> list[Plot]:
    """Return the means over sites at each snapshot, per label and variant, and bars per site."""
    numbers = sorted({score.snapshot for score in scores})
    places = [str(number) if number != switch else f"{number} switch" for number in numbers]
    plots = []
    for field, measure, title in (
        ("article_f", "F1", "F1 of articles"),
        ("section_f", "F1", "F1 of sections"),
        ("section_recall", "recall", "Recall of sections"),
        ("other_f", "F1", "F1 of other pages"),
    ):
        series = [
            Series(variant, [getattr(means(at_snapshot(scores, variant, number)), field) for number in numbers])
            for variant in variants
        ]
        chart = Chart(
            f"{title}, mean over sites",
            "snapshot",
            measure,
            places,
            series,
            (0.0, 1.0),
        )
        plots.append(Plot(f"{name}-{field.replace('_', '-')}", chart.title, line_chart(chart)))
    table = sites_table(scores, variants[0])
    series = [Series(label, [row[1 + place] for row in table.rows]) for place, label in enumerate(KINDS)]  # type: ignore[misc] # cells are numbers here
    chart = Chart(
        "F1 per site at snapshot 24 or the last", "site", "F1", [str(row[0]) for row in table.rows], series, (0.0, 1.0)
    )
    plots.append(Plot(f"{name}-sites", chart.title, bar_chart(chart)))
    return plots
