"""How many snapshots the features need: the plateau against depth, publishing rate and size of sections.

The trees of the thesis (votes over stability and moves, with each site's own labels, cross-validated by address) judge
every site after more and more snapshots. The plateau is reached at the first judged snapshot from which on the F1 of
articles stays within a small distance of its last value. A site of the news web is crawled once, to the greatest depth;
what smaller depths would have seen is a part of that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.corpora.made_sites import START, MadeSite
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.experiments.source_study._depth_tables import depth_tables
from broadsheet.experiments.source_study._own_labels import predicted_by_own_labels
from broadsheet.experiments.source_study._site_journal import ROOMS, sites_of, study_sites
from broadsheet.experiments.source_study._site_scores import KindScore, json_rows, score_kinds
from broadsheet.learning.subset_voting import SubsetVoting
from broadsheet.sources.target_counts import TargetCounts
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training.site_training import labelled_tables

__all__ = ["HELP", "NAME", "ROOMS", "plateau", "run"]

NAME = "regime"
HELP = "how many snapshots the temporal features need, against depth, publishing rate and size of sections"

FEATURES = ("stability", "reference_dynamicity")
JUDGED = (1, 2, 3, 6, 9, 12, 18, 24, 30, 36, 48)
#: How near to its last value the F1 has to stay.
NEAR = 0.02
#: The most pages that are fetched per snapshot of a site of the news web, at depth 1, 2 and 3. Its home page links to
#: some 50 to 250 pages: fewer at the greater depths would hide what these add.
MOST_PAGES, SNAPSHOTS = (60, 240, 720), 48
_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """The figures of one crawl: of a saved site, or of a site of the news web to some depth."""

    site: str
    depth: int | None
    new_articles_per_hour: float
    #: Articles that a section links to at its last visit, mean over the sections that were fetched.
    articles_per_section: float | None
    pages_per_snapshot: float | None
    plateau: int | None
    f1_at_plateau: float | None
    last_f1: float | None


class _JudgedCrawl:
    """Judges the targets of a crawl after more and more snapshots, by votes fitted to their own labels."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.scores: list[KindScore] = []
        self.articles_per_section: float | None = None

    def judge(self, snapshot: int, hours: float, counts: TargetCounts, truth: NDArray[np.intp]) -> None:
        rows = feature_table(counts, FEATURES)
        predicted = predicted_by_own_labels(SubsetVoting, rows, counts.keys, truth)
        self.scores += score_kinds((NAME, self._name, snapshot, round(hours, 2)), truth, predicted)
        linked = counts.article_links[(truth == _SECTION) & ~np.isnan(counts.article_links)]
        self.articles_per_section = float(linked.mean()) if len(linked) else None

    def figures(self, site: str, depth: int | None, rate: float, pages: float | None) -> CrawlFigures:
        articles = [score for score in self.scores if score.label == KINDS[_ARTICLE]]
        settled, value = plateau([(score.snapshot, score.f1) for score in articles]) or (None, None)
        last = articles[-1].f1 if articles else None
        return CrawlFigures(site, depth, rate, self.articles_per_section, pages, settled, value, last)


def run(context: Context) -> ExperimentResults:
    """Judge all sites after more and more snapshots."""
    most_pages = context.most_pages or MOST_PAGES
    if list(most_pages) != sorted(most_pages):
        raise InputError(f"--most-pages must not fall with the depth, as {' '.join(map(str, most_pages))} does")
    sites = [_as_crawled(site, most_pages) for site in sites_of(context)]
    study = partial(_study, most_pages=most_pages)
    scores, found = study_sites(context, NAME, study, sites, {"most pages": list(most_pages)})
    crawls = [CrawlFigures(**row) for _, each in sorted(found.items()) for row in each["crawls"]]
    groups = _groups(crawls)
    return ExperimentResults(
        name=NAME,
        title="Snapshots until the temporal features have settled",
        remarks=(
            f"{len(crawls)} crawls, each judged by votes fitted to its own labels, cross-validated by address.",
            f"Plateau: the F1 of articles stays within {NEAR} of its last value from this snapshot on.",
            "Sites of the news web are crawled to several depths: levels 0 to the depth are fetched, the upper ones",
            f"first, and the level below is seen. Most pages a snapshot, by depth: {', '.join(map(str, most_pages))}.",
        ),
        tables=(
            ResultTable("Crawls", _COLUMNS, tuple(tuple(asdict(each).values()) for each in crawls)),
            *(_group_table(name, parts) for name, parts in groups.items()),
        ),
        plots=tuple(_plot(name, parts, scores) for name, parts in (groups or {"": {"all sites": crawls}}).items()),
        rows=json_rows(scores, NAME),
    )


_COLUMNS = (
    "site",
    "depth",
    "new articles per hour",
    "articles per section",
    "pages per snapshot",
    "plateau",
    "F1 at the plateau",
    "last F1",
)


def _as_crawled(site: FollowedSite, most_pages: Sequence[int]) -> FollowedSite:
    """Return a saved site as it is, and one of the news web as it is crawled to the greatest depth."""
    if not isinstance(site, MadeSite):
        return site
    return replace(site, depth=len(most_pages), snapshots=SNAPSHOTS, most_pages=max(most_pages), judged=JUDGED)


def _study(site: FollowedSite, most_pages: Sequence[int]) -> tuple[list[KindScore], Row]:
    scores, figures = _made(site, most_pages) if isinstance(site, MadeSite) else _saved(site)
    return scores, {"crawls": [asdict(each) for each in figures]}


def _saved(site: FollowedSite) -> tuple[list[KindScore], list[CrawlFigures]]:
    crawl = _JudgedCrawl(site.site)
    golden = {key for key, kind in site.kinds().items() if kind == KINDS[_ARTICLE]}
    known: list[tuple[float, int]] = []
    for labelled in labelled_tables(site, JUDGED, articles=golden):
        crawl.judge(labelled.snapshot, labelled.hours, labelled.table.counts, labelled.truth)
        known.append((labelled.hours, int((labelled.truth == _ARTICLE).sum())))
    (first, few), (last, many) = known[0], known[-1]
    rate = (many - few) / (last - first) if last > first else 0.0
    return crawl.scores, [crawl.figures(site.site, None, rate, None)]


def _made(site: MadeSite, most_pages: Sequence[int]) -> tuple[list[KindScore], list[CrawlFigures]]:
    crawls = {depth: _JudgedCrawl(_crawl_name(site.site, depth)) for depth in range(1, len(most_pages) + 1)}
    pages: dict[int, float] = {}
    for table in depth_tables(site, most_pages, JUDGED):
        crawls[table.depth].judge(table.snapshot, table.snapshot - 1.0, table.counts, table.truth)
        pages[table.depth] = table.pages / table.snapshot
    rate = len(site.web.articles(START, START + timedelta(hours=site.snapshots))) / site.snapshots
    figures = [crawl.figures(site.site, depth, rate, pages[depth]) for depth, crawl in crawls.items()]
    return [score for crawl in crawls.values() for score in crawl.scores], figures


def _crawl_name(site: str, depth: int | None) -> str:
    return site if depth is None else f"depth-{depth}-{site}"


def plateau(series: Sequence[tuple[int, float]]) -> tuple[int, float] | None:
    """Return the first snapshot, with its value, from which on all values stay near the last one."""
    found = None
    for snapshot, value in reversed(series):
        if abs(value - series[-1][1]) > NEAR:
            break
        found = snapshot, value
    return found


#: Crawls that are compared, by what they have in common.
_Parts = Mapping[str, Sequence[CrawlFigures]]


def _groups(crawls: Sequence[CrawlFigures]) -> dict[str, _Parts]:
    """Divide crawls by depth, and into a lower and an upper half by rate and by size of sections."""
    found: dict[str, _Parts] = {}
    depths = sorted({each.depth for each in crawls if each.depth is not None})
    if len(depths) > 1:
        found["depth"] = {f"depth {depth}": [each for each in crawls if each.depth == depth] for depth in depths}
    for name, values in (
        ("new articles per hour", [each.new_articles_per_hour for each in crawls]),
        ("articles per section", [each.articles_per_section for each in crawls]),
    ):
        known = [(value, each) for value, each in zip(values, crawls, strict=True) if value is not None]
        middle = float(np.median([value for value, _ in known])) if known else 0.0
        upper = [each for value, each in known if value > middle]
        if upper:
            lower = [each for value, each in known if value <= middle]
            found[name] = {f"up to {middle:.1f}": lower, f"more than {middle:.1f}": upper}
    return found


def _group_table(name: str, parts: _Parts) -> ResultTable:
    """Return the means of each group: a crawl that settles at its last snapshot only has no plateau."""
    rows: list[tuple[Cell, ...]] = []
    for label, crawls in parts.items():
        settled = [each.plateau for each in crawls if each.plateau is not None]
        last = [each.last_f1 for each in crawls if each.last_f1 is not None]
        if settled:
            rows.append((label, len(settled), float(np.mean(settled)), float(np.median(settled)), float(np.mean(last))))
    columns = (name, "crawls", "plateau (mean)", "plateau (median)", "last F1 (mean)")
    return ResultTable(f"By {name}", columns, tuple(rows))


def _plot(name: str, parts: _Parts, scores: Sequence[KindScore]) -> Plot:
    """Return the mean F1 of articles over the crawls of each group."""
    articles = [score for score in scores if score.label == KINDS[_ARTICLE] and score.snapshot in JUDGED]
    numbers = sorted({score.snapshot for score in articles})
    series = []
    for label, crawls in parts.items():
        own = {_crawl_name(each.site, each.depth) for each in crawls}
        values: list[float | None] = []
        for number in numbers:
            found = [score.f1 for score in articles if score.snapshot == number and score.site in own]
            values.append(float(np.mean(found)) if found else None)
        series.append(Series(label, values))
    title = f"F1 of articles by {name}" if name else "F1 of articles, mean over sites"
    chart = Chart(title, "snapshot", "F1", list(map(str, numbers)), series, (0.0, 1.0))
    return Plot("-".join((NAME, "article-f", *name.split())), chart.title, line_chart(chart))
