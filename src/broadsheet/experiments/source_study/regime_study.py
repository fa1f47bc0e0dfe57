"""How many snapshots the features need: the plateau against depth, publishing rate and size of sections.

The trees of the thesis (votes over stability and moves, with each site's own labels, cross-validated by address) judge
every site after more and more snapshots. The plateau is reached at the first judged snapshot from which on the F1 of
articles stays within a small distance of its last value.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.corpora.made_sites import MadeSite
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.experiments.source_study._own_labels import predicted_by_own_labels
from broadsheet.experiments.source_study._site_journal import ROOMS, sites_of, study_sites
from broadsheet.experiments.source_study._site_scores import KindScore, json_rows, score_kinds
from broadsheet.learning.subset_voting import SubsetVoting
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training.site_training import labelled_tables

__all__ = ["HELP", "NAME", "ROOMS", "crawled", "plateau", "run"]

NAME = "regime"
HELP = "how many snapshots the temporal features need, against depth, publishing rate and size of sections"

FEATURES = ("stability", "reference_dynamicity")
JUDGED = (1, 2, 3, 6, 9, 12, 18, 24, 30, 36, 48)
#: How near to its last value the F1 has to stay.
NEAR = 0.02
#: The most pages that are fetched per snapshot of a site of the news web, at depth 1, 2 and 3. Its home page links to
#: some 50 to 250 pages: fewer at the greater depths would hide what these add.
MOST_PAGES, SNAPSHOTS = (60, 240, 720), 48


def run(context: Context) -> ExperimentResults:
    """Judge all sites after more and more snapshots."""
    most_pages = context.most_pages or MOST_PAGES
    scores, figures = study_sites(context, NAME, _study, crawled(sites_of(context), most_pages))
    rows = [(site, *(row[name] for name in _COLUMNS)) for site, row in sorted(figures.items())]
    return ExperimentResults(
        name=NAME,
        title="Snapshots until the temporal features have settled",
        remarks=(
            f"{len(figures)} crawls, each judged by votes fitted to its own labels, cross-validated by address.",
            f"Plateau: the F1 of articles stays within {NEAR} of its last value from this snapshot on.",
            "Sites of the news web are crawled to several depths: levels 0 to the depth are fetched, the upper ones",
            f"first, and the level below is seen. Most pages a snapshot, by depth: {', '.join(map(str, most_pages))}.",
        ),
        tables=(
            ResultTable("Sites", ("site", *_COLUMNS), tuple(rows)),
            *_summaries(list(figures.items())),
        ),
        plots=(_plot(scores, figures),),
        rows=json_rows(scores, NAME),
    )


_GROUPED = ("depth", "new articles per snapshot", "articles per section")
_COLUMNS = (*_GROUPED, "pages per snapshot", "plateau", "F1 at the plateau", "last F1")


def crawled(sites: Sequence[FollowedSite], most_pages: Sequence[int]) -> list[FollowedSite]:
    """Return saved sites as they are, and one of each kind of the news web in all depths."""
    found: list[FollowedSite] = []
    kinds: set[str] = set()
    for site in sites:
        if not isinstance(site, MadeSite):
            found.append(site)
        elif site.kind not in kinds:
            kinds.add(site.kind)
            found += [
                replace(
                    site,
                    kind=f"depth-{depth}-{site.kind}",
                    depth=depth,
                    snapshots=SNAPSHOTS,
                    most_pages=most,
                    judged=JUDGED,
                )
                for depth, most in enumerate(most_pages, 1)
            ]
    return found


def _study(site: FollowedSite) -> tuple[list[KindScore], Row]:
    scores: list[KindScore] = []
    series: list[tuple[int, float]] = []
    articles, sections = [], 0
    for labelled in labelled_tables(site, JUDGED):
        rows = feature_table(labelled.table.counts, FEATURES)
        found = score_kinds(
            (NAME, site.site, labelled.snapshot, round(labelled.hours, 2)),
            labelled.truth,
            predicted_by_own_labels(SubsetVoting, rows, labelled),
        )
        scores += found
        series += [(labelled.snapshot, score.f1) for score in found if score.label == KINDS[0]]
        articles.append((labelled.snapshot, int((labelled.truth == 0).sum())))
        sections = int((labelled.truth == 1).sum())
    (first, few), (last, many) = articles[0], articles[-1]
    reached = plateau(series)
    return scores, {
        "depth": site.depth if isinstance(site, MadeSite) else None,
        "pages per snapshot": len(site.visits()) / site.snapshots if isinstance(site, MadeSite) else None,
        "new articles per snapshot": (many - few) / max(last - first, 1),
        "articles per section": many / max(sections, 1),
        "plateau": reached and reached[0],
        "F1 at the plateau": reached and reached[1],
        "last F1": series[-1][1] if series else None,
    }


def plateau(series: Sequence[tuple[int, float]]) -> tuple[int, float] | None:
    """Return the first snapshot, with its value, from which on all values stay near the last one."""
    found = None
    for snapshot, value in reversed(series):
        if abs(value - series[-1][1]) > NEAR:
            break
        found = snapshot, value
    return found


def _summaries(figures: Sequence[tuple[str, Row]]) -> list[ResultTable]:
    """Return the mean plateau per depth, and of the lower and the upper half by rate and by size of sections."""
    known = [row for _, row in figures if row["plateau"] is not None]
    tables = []
    for name in _GROUPED:
        values = [row[name] for row in known if row[name] is not None]
        if len(set(values)) < 2:
            continue
        rows: list[tuple[Cell, ...]] = []
        middle = float(np.median(values))
        for label, part in (
            [(str(value), [row for row in known if row[name] == value]) for value in sorted(set(values))]
            if name == "depth"
            else [
                (f"up to {middle:.1f}", [row for row in known if row[name] <= middle]),
                (f"more than {middle:.1f}", [row for row in known if row[name] > middle]),
            ]
        ):
            if part:
                plateaus, last = ([float(row[each]) for row in part] for each in ("plateau", "last F1"))
                rows.append((label, len(part), float(np.mean(plateaus)), float(np.mean(last))))
        tables.append(ResultTable(f"By {name}", (name, "sites", "plateau (mean)", "last F1 (mean)"), tuple(rows)))
    return tables


def _plot(scores: Sequence[KindScore], figures: dict[str, Row]) -> Plot:
    """Return the mean F1 of articles per depth, or of all sites."""
    groups: dict[str, list[str]] = {}
    for site, row in figures.items():
        groups.setdefault("all sites" if row["depth"] is None else f"depth {row['depth']}", []).append(site)
    numbers = sorted({score.snapshot for score in scores if score.snapshot in JUDGED})
    articles = [score for score in scores if score.label == KINDS[0]]
    series = []
    for name, sites in sorted(groups.items()):
        values: list[float | None] = []
        for number in numbers:
            found = [score.f1 for score in articles if score.snapshot == number and score.site in sites]
            values.append(float(np.mean(found)) if found else None)
        series.append(Series(name, values))
    chart = Chart("F1 of articles, mean over sites", "snapshot", "F1", list(map(str, numbers)), series, (0.0, 1.0))
    return Plot(f"{NAME}-article-f", chart.title, line_chart(chart))
