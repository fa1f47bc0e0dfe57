"""How many snapshots the features need: the plateau against depth, publishing rate and size of sections.

The trees of the thesis (votes over stability and moves, with each site's own labels, cross-validated by address) judge
every site after more and more snapshots. The plateau is reached at the first judged snapshot from which on the F1 of
articles stays within a small distance of its last value, if that is better than calling every target an article: most
are articles, so that trees which have learned nothing say so from the first snapshot on, and never change.

A site of the news web is crawled once, to the greatest depth; what smaller depths would have seen is a part of that.
"""

from collections.abc import Iterator, Mapping, Sequence
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
MAX_PAGES, SNAPSHOTS = (60, 240, 720), 48
_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")


@dataclass(frozen=True, slots=True)
class StudiedCrawl:
    """One crawl: of a saved site, or of a site of the news web to some depth."""

    site: str
    depth: int | None
    new_articles_per_hour: float
    #: Articles that a section links to at its last visit, mean over the sections that were fetched.
    articles_per_section: float | None
    pages_per_snapshot: float | None

    @property
    def name(self) -> str:
        """What its scores are called."""
        return self.site if self.depth is None else f"depth-{self.depth}-{self.site}"


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """What came of a crawl."""

    crawl: StudiedCrawl
    #: None where nothing is learned: where calling every target an article is as good, or the F1 still changes.
    plateau: int | None
    last_f1: float | None
    #: The F1 of calling every target an article.
    guessed_f1: float | None

    @classmethod
    def of(cls, crawl: StudiedCrawl, scores: Sequence[KindScore]) -> "CrawlFigures":
        """Find the plateau in the scores of all crawls."""
        own = [score for score in scores if score.site == crawl.name]
        articles = [score for score in own if score.label == KINDS[_ARTICLE] and score.number]
        if not articles:
            return cls(crawl, None, None, None)
        last = articles[-1]
        share = last.number / sum(score.number for score in own if score.snapshot == last.snapshot)
        guessed = 2 * share / (1 + share)
        found = plateau([(score.snapshot, score.f1) for score in articles])
        return cls(crawl, found if last.f1 > guessed + NEAR else None, last.f1, guessed)


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


def run(context: Context) -> ExperimentResults:
    """Judge all sites after more and more snapshots."""
    most_pages = context.most_pages or MAX_PAGES
    if list(most_pages) != sorted(most_pages):
        raise InputError(f"--most-pages must not fall with the depth, as {' '.join(map(str, most_pages))} does")
    sites = [_as_crawled(site, most_pages) for site in sites_of(replace(context, sample=context.sample or 1))]
    study = partial(_study, most_pages=most_pages)
    scores, found = study_sites(context, NAME, study, sites, {"most pages": list(most_pages)})
    crawls = [StudiedCrawl(**row) for _, each in sorted(found.items()) for row in each["crawls"]]
    figures = [CrawlFigures.of(crawl, scores) for crawl in crawls]
    groups = _groups(figures)
    return ExperimentResults(
        name=NAME,
        title="Snapshots until the temporal features have settled",
        remarks=(
            f"{len(crawls)} crawls, each judged by votes fitted to its own labels, cross-validated by address.",
            f"Plateau: from this snapshot on, which is not the last one, the F1 of articles stays within {NEAR} of its",
            f"last value, which is more than {NEAR} above the F1 of calling every target an article.",
            "Sites of the news web are crawled to several depths: levels 0 to the depth are fetched, the upper ones",
            f"first, and the level below is seen. Most pages a snapshot, by depth: {', '.join(map(str, most_pages))}.",
        ),
        tables=(
            ResultTable("Crawls", _COLUMNS, tuple(map(_cells, figures))),
            *(_group_table(name, parts) for name, parts in groups.items()),
        ),
        plots=tuple(_plots(groups or {"": {"all sites": figures}}, scores)),
        rows=json_rows(scores, NAME),
    )


_COLUMNS = (
    "site",
    "depth",
    "new articles per hour",
    "articles per section",
    "pages per snapshot",
    "plateau",
    "last F1",
    "F1 if all are called articles",
)


def _cells(figures: CrawlFigures) -> tuple[Cell, ...]:
    return (*asdict(figures.crawl).values(), figures.plateau, figures.last_f1, figures.guessed_f1)


def _as_crawled(site: FollowedSite, most_pages: Sequence[int]) -> FollowedSite:
    """Return a saved site as it is, and one of the news web as it is crawled to the greatest depth."""
    if not isinstance(site, MadeSite):
        return site
    return replace(site, depth=len(most_pages), snapshots=SNAPSHOTS, most_pages=max(most_pages), judged=JUDGED)


def _study(site: FollowedSite, most_pages: Sequence[int]) -> tuple[list[KindScore], Row]:
    scores, crawls = _made(site, most_pages) if isinstance(site, MadeSite) else _saved(site)
    return scores, {"crawls": [asdict(each) for each in crawls]}


def _saved(site: FollowedSite) -> tuple[list[KindScore], list[StudiedCrawl]]:
    judged = _JudgedCrawl(site.site)
    golden = {key for key, kind in site.kinds().items() if kind == KINDS[_ARTICLE]}
    known: list[tuple[float, int]] = []
    for labelled in labelled_tables(site, JUDGED, articles=golden):
        judged.judge(labelled.snapshot, labelled.hours, labelled.table.counts, labelled.truth)
        known.append((labelled.hours, int((labelled.truth == _ARTICLE).sum())))
    (first, few), (last, many) = known[0], known[-1]
    rate = (many - few) / (last - first) if last > first else 0.0
    return judged.scores, [StudiedCrawl(site.site, None, rate, judged.articles_per_section, None)]


def _made(site: MadeSite, most_pages: Sequence[int]) -> tuple[list[KindScore], list[StudiedCrawl]]:
    rate = len(site.web.articles(START, START + timedelta(hours=site.snapshots), outlines=True)) / site.snapshots
    crawls = [StudiedCrawl(site.site, depth, rate, None, None) for depth in range(1, len(most_pages) + 1)]
    judged = {crawl.depth: _JudgedCrawl(crawl.name) for crawl in crawls}
    pages: dict[int | None, float] = {}
    for table in depth_tables(site, most_pages, JUDGED):
        judged[table.depth].judge(table.snapshot, table.snapshot - 1.0, table.counts, table.truth)
        pages[table.depth] = table.pages / table.snapshot
    scores = [score for each in judged.values() for score in each.scores]
    return scores, [
        replace(
            crawl,
            articles_per_section=judged[crawl.depth].articles_per_section,
            pages_per_snapshot=pages[crawl.depth],
        )
        for crawl in crawls
    ]


def plateau(series: Sequence[tuple[int, float]]) -> int | None:
    """Return the first snapshot from which on all values stay near the last one; None if only the last one does."""
    found = None
    for snapshot, value in reversed(series[:-1]):
        if abs(value - series[-1][1]) > NEAR:
            break
        found = snapshot
    return found


#: Crawls that are compared, by what they have in common.
_Parts = Mapping[str, Sequence[CrawlFigures]]


def _groups(figures: Sequence[CrawlFigures]) -> dict[str, _Parts]:
    """Divide crawls by depth, and into a lower and an upper half by rate and by size of sections."""
    found: dict[str, _Parts] = {}
    crawls = [each.crawl for each in figures]
    depths = sorted({crawl.depth for crawl in crawls if crawl.depth is not None})
    if len(depths) > 1:
        found["depth"] = {f"depth {depth}": [each for each in figures if each.crawl.depth == depth] for depth in depths}
    for name, values in (
        ("new articles per hour", [crawl.new_articles_per_hour for crawl in crawls]),
        ("articles per section", [crawl.articles_per_section for crawl in crawls]),
    ):
        known = [
            (value, each)
            for value, each in zip(values, figures, strict=True)
            if value is not None and each.last_f1 is not None
        ]
        middle = float(np.median([value for value, _ in known])) if known else 0.0
        upper = [each for value, each in known if value > middle]
        if upper:
            lower = [each for value, each in known if value <= middle]
            found[name] = {f"up to {middle:.1f}": lower, f"more than {middle:.1f}": upper}
    return found


def _group_table(name: str, parts: _Parts) -> ResultTable:
    """Return the means of each group; that of the plateau over the crawls that have one."""
    rows: list[tuple[Cell, ...]] = []
    for label, figures in parts.items():
        known = [each for each in figures if each.last_f1 is not None]
        settled = [each.plateau for each in known if each.plateau is not None]
        rows.append(
            (
                label,
                len(known),
                len(settled),
                float(np.mean(settled)) if settled else None,
                float(np.mean([each.last_f1 for each in known])) if known else None,
                float(np.mean([each.guessed_f1 for each in known])) if known else None,
            )
        )
    columns = (name, "crawls", "with a plateau", "plateau (mean)", "last F1 (mean)", "F1 if all are called articles")
    return ResultTable(f"By {name}", columns, tuple(rows))


def _plots(groups: Mapping[str, _Parts], scores: Sequence[KindScore]) -> Iterator[Plot]:
    """Yield the mean F1 of articles over the crawls of each group; nothing where no site has articles."""
    articles = [score for score in scores if score.label == KINDS[_ARTICLE] and score.snapshot in JUDGED]
    numbers = sorted({score.snapshot for score in articles})
    for name, parts in groups.items() if numbers else ():
        series = []
        for label, figures in parts.items():
            own = {each.crawl.name for each in figures}
            values: list[float | None] = []
            for number in numbers:
                found = [score.f1 for score in articles if score.snapshot == number and score.site in own]
                values.append(float(np.mean(found)) if found else None)
            series.append(Series(label, values))
        title = f"F1 of articles by {name}" if name else "F1 of articles, mean over sites"
        chart = Chart(title, "snapshot", "F1", list(map(str, numbers)), series, (0.0, 1.0))
        yield Plot("-".join((NAME, "article-f", *name.split())), chart.title, line_chart(chart))
