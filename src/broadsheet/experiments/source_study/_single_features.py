"""Studies of temporal features alone: C4.5 on other publishers' sites, applied to each site at every snapshot."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.experiments._plots import Chart, Series, bar_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults, Plot, ResultTable
from broadsheet.experiments.source_study._own_labels import predicted_by_own_labels
from broadsheet.experiments.source_study._site_journal import sites_of, study_sites
from broadsheet.experiments.source_study._site_scores import (
    KindScore,
    curves,
    json_rows,
    score_kinds,
    sites_table,
    summary_table,
)
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training.site_training import LabelledTable, labelled_tables, publisher_of, publisher_parts

#: A classifier is fitted to what other sites look like after each of these numbers of snapshots.
FITTED_SNAPSHOTS = (1, 2, 3, 6, 12, 24, 48, 96, 150)

#: Variants of a study by name: their features, and what makes their classifier.
Variants = Mapping[str, tuple[Sequence[str], Callable[[], Any]]]


class FeatureStudy:
    """Fits and applies the variants of a study."""

    def __init__(self, context: Context, variants: Variants) -> None:
        """Take the variants; other sites are read when the first one is judged."""
        self._context = context
        self._variants = variants
        self._others: dict[str, dict[int, LabelledTable]] | None = None
        self._parts = publisher_parts(site.site for site in sites_of(context))
        self._fits: dict[tuple[str, frozenset[str], int], Any] = {}

    def study(self, site: FollowedSite) -> tuple[list[KindScore], Row]:
        """Judge the targets of a site after every snapshot by what was learned from other publishers."""
        tables = list(labelled_tables(site))
        scores: list[KindScore] = []
        errors: Row = {}
        for variant, (names, _) in self._variants.items():
            lowest = 1.0
            for labelled in tables:
                rows = feature_table(labelled.table.counts, names)
                predicted = self._predicted(variant, labelled, rows)
                name = (variant, site.site, labelled.snapshot, round(labelled.hours, 2))
                scores += score_kinds(name, labelled.truth, predicted)
                known = labelled.truth >= 0
                if known.any():
                    lowest = min(lowest, float(np.mean(predicted[known] != labelled.truth[known])))
            errors[variant] = lowest
        return scores, {"lowest_error": errors}

    def _predicted(self, variant: str, labelled: LabelledTable, rows: NDArray[np.float64]) -> NDArray[np.intp]:
        if self._context.protocol == "seed":
            return predicted_by_own_labels(self._variants[variant][1], rows, labelled.table.counts.keys, labelled.truth)
        place = bisect_right(FITTED_SNAPSHOTS, labelled.snapshot) - 1
        found: NDArray[np.intp] = (
            self._fitted(variant, labelled.site, FITTED_SNAPSHOTS[place]).predict(rows).astype(np.intp)
        )
        return found

    def _fitted(self, variant: str, site: str, snapshot: int) -> Any:  # noqa: ANN401 - any classifier
        """Return a classifier that has learned from other publishers' sites after some snapshots."""
        part = self._parts[publisher_of(site)]
        if (variant, part, snapshot) not in self._fits:
            names, make = self._variants[variant]
            used = [tables[snapshot] for name, tables in self._tables().items() if publisher_of(name) not in part]
            if not used:
                raise InputError(f"{site} has no other publisher beside it to learn from: add sites to the folder")
            rows = np.concatenate([feature_table(each.table.counts, names)[each.truth >= 0] for each in used])
            truth = np.concatenate([each.truth[each.truth >= 0] for each in used])
            weights = np.concatenate([_evenly(each.truth[each.truth >= 0]) for each in used])
            fitted = make().fit(rows, truth, sample_weight=weights * len(weights) / weights.sum())
            self._fits[variant, part, snapshot] = fitted
        return self._fits[variant, part, snapshot]

    def _tables(self) -> dict[str, dict[int, LabelledTable]]:
        """Return the tables of all sites at the snapshots to learn from; a site's last one serves for later ones."""
        if self._others is None:
            self._others = {}
            sites = sites_of(self._context)
            for number, site in enumerate(sites, 1):
                self._context.say(f"reading the sites to learn from, {number} of {len(sites)}: {site.site}")
                wanted = FITTED_SNAPSHOTS if site.judged is None else [*set(FITTED_SNAPSHOTS) & set(site.judged)]
                tables = {table.snapshot: table for table in labelled_tables(site, wanted)}
                last = max(tables)
                self._others[site.site] = {number: tables[min(number, last)] for number in FITTED_SNAPSHOTS}
        return self._others


def _evenly(truth: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return weights by which all kinds of a site count the same, and all sites.

    Otherwise trees call everything an article: most targets are, and most of those are as steady as sections for a day.
    """
    sizes = np.bincount(truth, minlength=len(KINDS))
    weights: NDArray[np.float64] = 1 / (sizes[truth] * max(int(np.count_nonzero(sizes)), 1))
    return weights


def _errors_plot(name: str, figures: Mapping[str, Row], variants: Sequence[str]) -> Plot:
    sites = sorted(figures)
    series = [Series(variant, [figures[site]["lowest_error"][variant] for site in sites]) for variant in variants]
    chart = Chart("Lowest test error per site", "site", "error", sites, series)
    return Plot(f"{name}-errors", chart.title, bar_chart(chart))


def _taught(context: Context) -> str:
    if context.protocol == "seed":
        return "its own labels, cross-validated by address"
    return "other publishers' sites"


def feature_results(context: Context, name: str, title: str, variants: Variants) -> ExperimentResults:
    """Run a study of features and return its results; the first variant is the main one."""
    scores, figures = study_sites(context, name, FeatureStudy(context, variants).study)
    main = next(iter(variants))
    errors = tuple(
        (variant, float(np.mean([row["lowest_error"][variant] for row in figures.values()]))) for variant in variants
    )
    return ExperimentResults(
        name=name,
        title=title,
        remarks=(
            f"{len(figures)} sites, each judged by C4.5 trees that were grown on {_taught(context)}.",
            "While they grow, all kinds of a site count the same, and all sites.",
            f"Kinds: {', '.join(KINDS)}. Only golden labels of high confidence are counted.",
        ),
        tables=(
            summary_table(scores, tuple(variants)),
            sites_table(scores, main),
            ResultTable("Lowest test error over the snapshots, mean over sites", ("features", "error"), errors),
        ),
        plots=(*curves(scores, tuple(variants), name), _errors_plot(name, figures, tuple(variants))),
        rows=json_rows(scores, main),
    )
