"""One crawl of a site of the news web, counted as if it had ended at smaller depths, too.

Pages are visited level by level, so that a crawl to a smaller depth with fewer pages per snapshot has made the first
visits of each snapshot of the larger one.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS, Kind
from broadsheet.corpora.made_sites import LevelVisit, MadeSite
from broadsheet.sources.link_history import LinkHistory
from broadsheet.sources.target_counts import TargetCounts


class DepthTable(NamedTuple):
    """The targets of a site that a crawl to some depth has seen after a number of snapshots, with what they are."""

    depth: int
    snapshot: int
    #: Pages that were fetched in all snapshots so far.
    pages: int
    counts: TargetCounts
    #: Indices in `KINDS`, or -1.
    truth: NDArray[np.intp]


class _CrawlToDepth:
    """What is counted of a crawl that goes so deep and fetches at most so many pages per snapshot."""

    def __init__(self, depth: int, most_pages: int) -> None:
        self.depth = depth
        self._most_pages = most_pages
        self._history = LinkHistory()
        self._pages = 0
        self._targets: dict[str, Sequence[str] | None] = {}

    def add(self, each: LevelVisit) -> None:
        if each.level > self.depth or each.place >= self._most_pages:
            return
        visit = each.saved.visit
        self._pages += 1
        if self._targets.get(visit.page) is visit.targets:
            self._history.repeat(visit.page, visit.at, visit.snapshot)
        else:
            self._history.add(visit)
            self._targets[visit.page] = visit.targets

    def table(self, snapshot: int, kinds: dict[str, Kind | None]) -> DepthTable:
        counts = self._history.counts({key for key, kind in kinds.items() if kind == "article"})
        own = [row for row, key in enumerate(counts.keys) if counts.referrers[row] and key in kinds]
        chosen = counts.chosen(np.array(own, np.intp))
        truth = [KINDS.index(kind) if (kind := kinds[key]) else -1 for key in chosen.keys]
        return DepthTable(self.depth, snapshot, self._pages, chosen, np.array(truth, np.intp))


def depth_tables(site: MadeSite, most_pages: Sequence[int], snapshots: Collection[int]) -> Iterator[DepthTable]:
    """Crawl a site, and give its targets after some of its snapshots, for the depths 1, 2 and so on.

    `most_pages` are the most pages per snapshot at each depth; they must not fall.
    """
    crawls = [_CrawlToDepth(depth, most) for depth, most in enumerate(most_pages, 1)]
    deepest = replace(site, depth=len(most_pages), most_pages=max(most_pages))
    kinds: dict[str, Kind | None] = {}
    snapshot = 1
    for each in _unchanged_shared(deepest.crawl()):
        if each.saved.visit.snapshot != snapshot:
            if snapshot in snapshots:
                yield from (crawl.table(snapshot, kinds) for crawl in crawls)
            snapshot = each.saved.visit.snapshot
        deepest.tell_kinds(each.saved, kinds)
        for crawl in crawls:
            crawl.add(each)
    if snapshot in snapshots:
        yield from (crawl.table(snapshot, kinds) for crawl in crawls)


def _unchanged_shared(visits: Iterator[LevelVisit]) -> Iterator[LevelVisit]:
    """Give visits; one that found its page as it was has the same list of targets as the visit before."""
    newest: dict[str, LevelVisit] = {}
    for each in visits:
        visit = each.saved.visit
        known = newest.get(visit.page)
        before = known.saved.visit if known else None
        if (
            before is not None
            and before.targets == visit.targets
            and np.array_equal(before.collections, visit.collections)
            and np.array_equal(before.positions, visit.positions)
        ):
            same = replace(visit, targets=before.targets)
            yield each._replace(saved=replace(each.saved, visit=same))
        else:
            newest[visit.page] = each
            yield each
