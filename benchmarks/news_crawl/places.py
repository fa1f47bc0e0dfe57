"""The sites of a run: those of the news web that are for judging, and those of a folder of snapshots."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.news_crawl.grounds import Ground, Tier
from benchmarks.news_crawl.planned_ground import FAMILY as NEWS_WEB
from benchmarks.news_crawl.planned_ground import PlannedLinks, PlannedPages, daily_articles, judging_sites
from benchmarks.news_crawl.replay_ground import FAMILY as REPLAY
from benchmarks.news_crawl.replay_ground import replayed
from benchmarks.news_crawl.served_pages import PageReader
from benchmarks.replay.changing import ChangeRule
from benchmarks.replay.held_out import fit_missing
from benchmarks.replay.measuring import Conditions
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack
from broadsheet.base.errors import InputError
from broadsheet.newsweb.site import Site


@dataclass(frozen=True, slots=True)
class Place:
    """A site in a tier, which can be opened as a ground; that takes a while."""

    site: str
    family: str
    tier: Tier
    open: Callable[[], AbstractContextManager[Ground]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Extent:
    """Which of the sites of a seed are followed in a tier, and for how many days."""

    #: So many are drawn.

    sites: int
    days: float
    #: Only sites with so many articles a day, at least and at most.
    articles: tuple[float, float] = (0.0, math.inf)


def news_web_places(tier: Tier, extent: Extent, seeds: Sequence[int], sites: Collection[str] = ()) -> Iterator[Place]:
    """Yield sites of the news web, of all names or of some; sites of several seeds may have the same name."""
    least, most = extent.articles
    is_any = (least, most) == (0.0, math.inf)
    for seed in seeds:
        for site in judging_sites(extent.sites, seed):
            name = f"{seed}/{site.slug}"
            if sites and not {site.slug, name} & set(sites):
                continue
            if is_any or least <= daily_articles(site) <= most:
                yield Place(name, NEWS_WEB, tier, partial(_planned, site, tier, extent.days, name))


def _planned(site: Site, tier: Tier, days: float, name: str) -> AbstractContextManager[Ground]:
    if tier == "links":
        return nullcontext(PlannedLinks(site, days, name))
    return nullcontext(PlannedPages(site, days, PageReader(), name))


class ReplayPlaces:
    """The sites of a folder of snapshots."""

    def __init__(
        self, snapshots: Path, pages: Path, into: Path, models: Path | None = None, changes: ChangeRule = "never"
    ) -> None:
        """Unpack the pages that stand in for those that were not saved; they change by a rule.

        With a folder of models that have not seen the publisher of a site, only pages stand in that none has seen.
        """
        folder = Folder.find(snapshots)
        stand_ins = unpack(pages, "dev" if models else None, into)
        self._conditions = Conditions(folder, stand_ins, models=models, changes=changes)

    def sites(self) -> list[str]:
        """Return the names of all sites."""
        return self._conditions.snapshots.sites()

    def places(self, sites: Collection[str], tier: Tier) -> list[Place]:
        """Return some sites in a tier; with pages, after models were fitted that have not seen their publishers."""
        chosen = [site for site in self.sites() if site in sites]
        if self._conditions.models is not None and tier == "pages":
            fit_missing(self._conditions.models, self._conditions.snapshots.path, chosen)
        return [self._place(site, tier) for site in chosen]

    def _place(self, site: str, tier: Tier) -> Place:
        if not self._conditions.snapshots.gold(site).is_file():
            raise InputError(f"{self._conditions.snapshots.path}/gold: no golden labels of {site}")

        def open_site() -> AbstractContextManager[Ground]:
            return replayed(site, self._conditions, tier)

        return Place(site, REPLAY, tier, open_site)
