"""Without any labels: clusters and trees on them, indices of their quality, and the phase switch from these.

Targets are divided by k-means into two clusters by stability and moves; the less stable, livelier one is called
articles. C4.5 trees over all subsets of the features learn these labels and vote (D'Onofrio's proposal for future
work). Of the rest, pages that link to many articles are called sections.

Beside that, targets are divided in the same way by the texts of links: by the words of their own and of those beside
them, and the rest by how many of these words offer a service.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults, ResultTable
from broadsheet.experiments.source_study._site_journal import ROOMS, study_sites
from broadsheet.experiments.source_study._site_scores import (
    KindScore,
    curves,
    json_rows,
    score_kinds,
    sites_table,
    summary_table,
)
from broadsheet.learning.cluster_labels import class_entropy, silhouette, standardised, two_clusters
from broadsheet.learning.subset_voting import SubsetVoting
from broadsheet.sources.expected_quality import STEADY_SNAPSHOTS, SWITCH_F
from broadsheet.sources.link_features import LINK_FEATURES
from broadsheet.sources.source_links import LinkTable
from broadsheet.sources.switch_evaluators import MAX_ENTROPY, MIN_SILHOUETTE
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training.site_training import labelled_tables

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "unlabelled"
HELP = "clusters of link texts and of behaviour, without any labels; indices of their quality, and the switch from them"

TEXTS, TREES, CLUSTERS = "clusters of link texts", "trees on clusters", "clusters"
VARIANTS = (TEXTS, TREES, CLUSTERS)
FEATURES = ("referred_stability", "reference_dynamicity_rate")
#: Articles are less stable and livelier.
_TOWARDS = np.array([-1.0, 1.0])
#: Of a link and of its neighbours in a collection: the number of words, and the share that offers a service.
_WORDS, _SERVICE = ("anchor_words", "neighbours_words"), ("service_share", "neighbours_service")
_MORE = np.array([1.0, 1.0])
#: The indices have to be good, and to change by no more than this, for the phases to switch.
MAX_CHANGE = 0.02

Numbers = NDArray[np.intp]


def run(context: Context) -> ExperimentResults:
    """Judge all sites by clusters of link texts and of behaviour."""
    scores, figures = study_sites(context, NAME, _study)
    return ExperimentResults(
        name=NAME,
        title="Without labels: clusters of link texts, and trees on clusters of behaviour",
        remarks=(
            f"{len(figures)} sites. No label and no address is used, of this site or of any other.",
            f"The phases switch at a silhouette from {MIN_SILHOUETTE} and an entropy up to {MAX_ENTROPY} bits,",
            f"if both change by no more than {MAX_CHANGE} in each of {STEADY_SNAPSHOTS} judged snapshots in a row.",
        ),
        tables=(summary_table(scores, VARIANTS), sites_table(scores, TEXTS), _switch_table(figures)),
        plots=tuple(curves(scores, VARIANTS, NAME)),
        figures={"indices": {site: row["indices"] for site, row in figures.items()}},
        rows=json_rows(scores, TEXTS),
    )


def _study(site: FollowedSite) -> tuple[list[KindScore], Row]:
    scores: list[KindScore] = []
    indices: list[tuple[int, float, float]] = []
    articles: set[str] = set()
    reached = None
    for labelled in labelled_tables(site, articles=articles):
        rows = standardised(feature_table(labelled.table.counts, FEATURES))
        clusters = two_clusters(rows, _TOWARDS)
        trees = clusters
        if 0 < clusters.sum() < len(clusters):
            trees = SubsetVoting().fit(rows, clusters).predict(rows).astype(np.bool_)
        articles.clear()
        articles.update(key for key, is_one in zip(labelled.table.counts.keys, trees.tolist(), strict=True) if is_one)
        for variant, kinds in (
            (TEXTS, kinds_by_text(labelled.features)),
            (TREES, three_kinds(labelled.table, trees)),
            (CLUSTERS, three_kinds(labelled.table, clusters)),
        ):
            name = (variant, site.site, labelled.snapshot, round(labelled.hours, 2))
            found = score_kinds(name, labelled.truth, kinds)
            scores += found
            article = next((score for score in found if score.label == "article"), None)
            if variant == TREES and reached is None and article and article.f1 >= SWITCH_F:
                reached = labelled.snapshot
        numbers = trees.astype(np.intp)
        indices.append((labelled.snapshot, silhouette(rows, numbers), class_entropy(rows, numbers)))
    return scores, {"indices": indices, "switch": index_switch(indices), "reached": reached}


def three_kinds(table: LinkTable, is_article: NDArray[np.bool_]) -> Numbers:
    """Call pages sections that link to more articles than the average page that was fetched and is not an article."""
    links = np.nan_to_num(table.counts.article_links)
    rest = ~is_article
    fetched = rest & (table.counts.visits > 0)
    usual = float(links[fetched].mean()) if fetched.any() else 0.0
    kinds = np.where(rest & (links > 0) & (links >= usual), KINDS.index("section"), KINDS.index("other"))
    return np.where(is_article, KINDS.index("article"), kinds).astype(np.intp)


def kinds_by_text(features: NDArray[np.float32]) -> Numbers:
    """Divide targets into articles and the rest by the number of words, and the rest by words that offer a service."""
    columns = features.astype(np.float64)[:, [LINK_FEATURES.index(name) for name in (*_WORDS, *_SERVICE)]]
    is_article = two_clusters(standardised(np.log1p(columns[:, :2])), _MORE)
    kinds = np.full(len(features), KINDS.index("article"), np.intp)
    if not is_article.all():
        is_other = two_clusters(standardised(columns[~is_article, 2:]), _MORE)
        kinds[~is_article] = np.where(is_other, KINDS.index("other"), KINDS.index("section"))
    return kinds


def index_switch(indices: Sequence[tuple[int, float, float]]) -> int | None:
    """Return the snapshot at which the indices have been good and steady for long enough; None if never."""
    steady = 0
    for (_, before, disorder), (snapshot, now, entropy) in pairwise(indices):
        good = now >= MIN_SILHOUETTE and entropy <= MAX_ENTROPY
        steady = steady + 1 if good and abs(now - before) <= MAX_CHANGE and abs(entropy - disorder) <= MAX_CHANGE else 0
        if steady >= STEADY_SNAPSHOTS:
            return snapshot
    return None


def _switch_table(figures: dict[str, Row]) -> ResultTable:
    rows = []
    for site, row in sorted(figures.items()):
        _, width, entropy = row["indices"][-1]
        rows.append((site, row["switch"], row["reached"], width, entropy))
    columns = ("site", "switch", f"articles F1 ≥ {SWITCH_F}", "silhouette at the end", "entropy at the end")
    return ResultTable("Phase switch by the indices, and when the truth would allow it", columns, tuple(rows))
