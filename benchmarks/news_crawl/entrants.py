"""The crawlers by name. To add one, write a class like those of `simple_crawlers` and list it in `ENTRANTS`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import cast

from benchmarks.news_crawl import newspaper_rounds, please_rounds
from benchmarks.news_crawl.engine import Crawler, Effort, Finds, crawl
from benchmarks.news_crawl.grounds import Ground
from benchmarks.news_crawl.newsroom_run import ServedGround, crawl_with_newsroom
from benchmarks.news_crawl.paced_crawler import PacedCrawler
from benchmarks.news_crawl.program_rounds import crawl_in_rounds
from benchmarks.news_crawl.simple_crawlers import FileCrawler, GenericCrawler, HomeCrawler, OverlapFeeds
from broadsheet.base.entry_points import registered
from broadsheet.newsroom.pace_policies import ENTRY_POINTS, PACES, build_pace

OURS = "broadsheet"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A crawler that can be measured: how it is made for a shortest interval between two visits of a page."""

    make: Callable[[timedelta], Crawler]
    #: What runs it instead, if it is a program of its own.
    run_elsewhere: Callable[[Ground, timedelta], tuple[Finds, Effort]] | None = None
    #: Whether it finds nothing on a site without feeds and sitemaps.
    needs_files: bool = False
    #: Whether it runs only on sites of the news web, over HTTP.
    needs_server: bool = False
    #: Whether it takes so long that one interval has to do.
    is_costly: bool = False
    #: The pace with which the newsroom itself runs where there is HTML.
    pace: str | None = None
    #: Whether it runs in the tier `pages` only if it is named, because that takes long.
    on_request: bool = False

    def run(self, ground: Ground, every: timedelta) -> tuple[Finds, Effort]:
        """Crawl a site."""
        if self.run_elsewhere is not None:
            return self.run_elsewhere(ground, every)
        if self.pace is not None and ground.tier == "pages":
            return crawl_with_newsroom(cast("ServedGround", ground), every, self.pace)
        crawler = self.make(every)
        effort = crawl(crawler, ground)
        return crawler.finds, effort


def _ours(pace: str) -> Entrant:
    is_rare = pace not in {"fixed", "arrivals"}
    return Entrant(lambda every: PacedCrawler(build_pace(pace), every), pace=pace, on_request=is_rare)


def _fronts(pace: str) -> Entrant:
    return Entrant(lambda every: PacedCrawler(build_pace(pace), every, files=False, home_paced=True))


#: Programs that run in environments of their own; they need pages, and a server.
PROGRAMS: Mapping[str, ModuleType] = {"newspaper4k": newspaper_rounds, "news-please": please_rounds}


def program(name: str, python: Path, seconds: float) -> Entrant:
    """Return another program, run by the Python of an environment that has it, for so long in each round at most."""
    run = partial(crawl_in_rounds, PROGRAMS[name], python, seconds)
    return Entrant(HomeCrawler, run_elsewhere=run, needs_server=True)


ENTRANTS: Mapping[str, Entrant] = {
    "generic": Entrant(GenericCrawler, is_costly=True),
    "home page": Entrant(HomeCrawler),
    "feeds": Entrant(lambda every: FileCrawler(every, feeds=True), needs_files=True),
    "sitemaps": Entrant(lambda every: FileCrawler(every, sitemaps=True), needs_files=True),
    "feeds + sitemaps": Entrant(lambda every: FileCrawler(every, feeds=True, sitemaps=True), needs_files=True),
    "feeds by overlap": Entrant(OverlapFeeds, needs_files=True),
    "fronts, adaptive": _fronts("adaptive"),
    "fronts by overlap": _fronts("overlap"),
    **{f"{OURS}, {pace}": _ours(pace) for pace in PACES},
}


def installed_policies() -> dict[str, Entrant]:
    """Return the policies that installed packages register."""
    return {f"{OURS}, {pace}": _ours(pace) for pace in registered(ENTRY_POINTS) if pace not in PACES}
