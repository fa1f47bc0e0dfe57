"""Section-driven crawling as the thesis measured it: with each site's own labels, in two phases.

Votes over stability and moves until the F1 of articles reaches the threshold; then content dynamicity and the count of
links to articles join, which earlier verdicts are needed for. Addresses are judged by the labels of others, never by
their own.
"""

import numpy as np

from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults, ResultTable
from broadsheet.experiments.source_study._own_labels import predicted_by_own_labels
from broadsheet.experiments.source_study._site_journal import study_sites
from broadsheet.experiments.source_study._site_scores import (
    KindScore,
    curves,
    json_rows,
    score_kinds,
    sites_table,
    summary_table,
)
from broadsheet.learning.subset_voting import SubsetVoting
from broadsheet.sources.expected_quality import SWITCH_F
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training.site_training import labelled_tables

VARIANT = "two phases, own labels"
EXPLORATION = ("stability", "reference_dynamicity")
EXPLOITATION = (*EXPLORATION, "article_links", "content_dynamicity")
#: Judged after these snapshots, because every vote is fitted again each time.
JUDGED = (1, 2, 3, 6, 9, 12, 18, 24, 30, 36, 42, 48, 72, 96, 120, 150)


def run_thesis(context: Context, name: str) -> ExperimentResults:
    """Judge all sites in two phases."""
    scores, figures = study_sites(context, name, _study)
    found = [row["switch"] for row in figures.values() if row["switch"] is not None]
    rows = tuple((site, row["switch"]) for site, row in sorted(figures.items()))
    return ExperimentResults(
        name=name,
        title="Section-driven crawling with each site's own labels",
        remarks=(
            f"{len(figures)} sites, each judged by votes fitted to its own labels, cross-validated by address.",
            "These figures cannot be compared with those on sites without labels.",
            f"The phases switch when the F1 of articles reaches {SWITCH_F}, which {len(found)} sites do.",
        ),
        tables=(
            summary_table(scores, (VARIANT,)),
            sites_table(scores, VARIANT),
            ResultTable("Snapshot of the phase switch", ("site", "switch"), rows),
        ),
        plots=tuple(curves(scores, (VARIANT,), f"{name}-own-labels", int(np.median(found)) if found else None)),
        rows=json_rows(scores, VARIANT),
    )


def _study(site: FollowedSite) -> tuple[list[KindScore], Row]:
    scores: list[KindScore] = []
    articles: set[str] = set()
    switch = None
    judged = JUDGED if site.judged is None else site.judged
    for labelled in labelled_tables(site, judged, articles=articles):
        names = EXPLORATION if switch is None else EXPLOITATION
        counts = labelled.table.counts
        rows = feature_table(counts, names)
        predicted = predicted_by_own_labels(SubsetVoting, rows, counts.keys, labelled.truth)
        name = (VARIANT, site.site, labelled.snapshot, round(labelled.hours, 2))
        found = score_kinds(name, labelled.truth, predicted)
        scores += found
        is_article = (predicted == KINDS.index("article")).tolist()
        articles.clear()
        articles.update(key for key, is_one in zip(counts.keys, is_article, strict=True) if is_one)
        if switch is None and any(score.label == "article" and score.f1 >= SWITCH_F for score in found):
            switch = labelled.snapshot
    return scores, {"switch": switch}
