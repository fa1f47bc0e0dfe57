"""The command: `python -m benchmarks.many_sources [options]`."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks import machine, plain_engine, table
from benchmarks.bare_pages import BareReaders, BareScore, Thinning, compare_bare, judge_bare, planned_web, serve_bare
from benchmarks.lateness import percentile, shares_late, shares_overdue
from benchmarks.month import MAX_GROWTH, compare, growth, is_flat, resident_bytes
from benchmarks.progress import Progress
from benchmarks.web_process import FetchPage, open_news_web, served_web
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling import simulated
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import ENVIRONMENT
from broadsheet.newsroom.pace_policies import PACES
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate

if TYPE_CHECKING:
    from broadsheet.simulation.archive_score import ArchiveScore

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: The share of its interval by which a home page may be late, in 95 of 100 cases, on a site that is not slow.
MAX_LATE = 0.1
#: A source is starved if its home page was asked for less often than in this share of the hours.
MIN_ASKED = 0.9
_MEGABYTE = 1_000_000

DESCRIPTION = """\
Follow many sites of the built-in news web in one process for a simulated day, with a snapshot of each every hour; the
servers of some are slow. Every page is HTML that is judged, read and archived; another process generates it.
With `--as occurrences`, pages are served without HTML: what they are, and the links on them; the sites are as small as
local papers, a plain engine takes the place of Scrapy, and nothing is judged by models but the addresses of new links.
Everything else is the same (agenda, paces, phases, archive), so that a week is affordable.

The exit code is 1 if a source is starved (its home page was asked for in fewer than {asked:.0%} of the hours), if the
home page of a site that is not slow is late by more than {late:g} of an hour in more than 5 of 100 cases, or if memory
grows by more than {most:.0%} over the last two thirds of the hours.

  python -m benchmarks.many_sources --sources 20 --slow 2 --hours 6                      a quick look
  python -m benchmarks.many_sources --as occurrences --days 7 --pace arrivals            a week
"""


@dataclass(frozen=True, slots=True)
class Stock:
    """How things stood after so many simulated hours: memory in use, and all requests and CPU seconds so far."""

    hour: int
    resident: int
    requests: int
    cpu: float


@dataclass(slots=True)
class Watch:
    """Passes requests on to a web, some of whose hosts are slow; notes when home pages are asked for, and memory."""

    fetch_page: FetchPage
    slow: frozenset[str]
    seconds: float
    report: Callable[[Sequence[Stock]], None]
    #: After how many hours stock is taken, again and again.
    every: int = 1
    homes: dict[str, list[datetime]] = field(default_factory=lambda: defaultdict(list))
    stocks: list[Stock] = field(default_factory=list)
    requests: int = 0

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Return the web's answer, later if the host is slow."""
        while at >= START + (len(self.stocks) + 1) * self.every * HOUR:
            self.take_stock()
        self.requests += 1
        parts = urlsplit(url)
        if parts.path == "/":
            self.homes[parts.netloc].append(at)
        response = self.fetch_page(url, at, headers)
        return replace(response, seconds=self.seconds) if parts.netloc in self.slow else response

    def take_stock(self) -> None:
        """Note what has been used so far."""
        hour = (len(self.stocks) + 1) * self.every
        self.stocks.append(Stock(hour, resident_bytes(), self.requests, time.process_time()))
        self.report(self.stocks)


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """How the sources of a group fared: the share of hours in which home pages were asked for, and how late."""

    group: str
    sources: int
    #: Of the source that was asked for the least.
    least_asked: float
    p50: float
    p95: float
    #: Of the source whose home page was the latest.
    worst_p95: float
    published: int
    archived: int
    wrong: int
    twice: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if a source is starved or late, or memory grows."""
    options = _options(arguments)
    is_bare = options.form == "occurrences"
    thinning = Thinning(sections=options.sections, share_of_articles=options.articles)
    web = planned_web(options.seed, options.sources, thinning) if is_bare else NewsWeb(options.seed, options.sources)
    hosts = [site.host for site in web.sites]
    slow = frozenset(hosts[:: -(-len(hosts) // options.slow)] if options.slow else ())
    report, open_web = _Report(options), partial(serve_bare, thinning=thinning) if is_bare else open_news_web
    with tempfile.TemporaryDirectory() as name, served_web(options.seed, options.sources, open_web) as fetch:
        watch = Watch(fetch, slow, options.seconds, report.save, options.stock_every)
        span = options.hours * HOUR.total_seconds() - 1
        simulate(
            Path(name),
            watch.fetch,
            START,
            Assignment(tuple(map(web.home, web.sites)), every=HOUR.total_seconds(), span=span),
            # Virtual time passes fast: a commit every few seconds of it would take most of the run.
            commit_often=False,
            settings=NewsroomSettings(pace=options.pace, render="never"),
            readers=BareReaders() if is_bare else None,
            judge=judge_bare if is_bare else None,
            engine=plain_engine.crawl if is_bare else simulated.crawl,
        )
        while len(watch.stocks) * watch.every < options.hours:
            watch.take_stock()
        groups = summarise(Path(name), web, watch, options)
    resident, cpu = [stock.resident for stock in watch.stocks], watch.stocks[-1].cpu
    print(_table(groups))
    print(f"\nmemory: {_memory_line(watch.stocks)}")
    print(f"{watch.requests:,} requests, {cpu:,.0f} s of CPU time ({cpu / watch.requests * 1000:.1f} ms each)")
    print(machine.line(machine.describe(), watch.requests, 0))
    report.save(watch.stocks, groups)
    return 0 if is_fair(groups) and is_flat(resident) else 1


class _Report:
    """Shows progress, and keeps the figures so far in a file, so that a run that is stopped is not lost."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path | None = options.json
        self._progress = Progress("hours", options.hours)
        self._conditions = {
            name: getattr(options, name)
            for name in ("form", "pace", "sources", "sections", "articles", "slow", "seconds", "seed")
        }

    def save(self, stocks: Sequence[Stock], groups: Sequence[SourceGroup] = ()) -> None:
        """Keep the figures of the hours that have passed, and at the end those of the sources."""
        if not groups:
            self._progress(stocks[-1].hour)
        if self._file:
            figures = {"groups": [asdict(each) for each in groups], "stocks": [asdict(each) for each in stocks]}
            self._file.write_text(json.dumps({**self._conditions, **figures}, indent=1) + "\n", encoding="utf-8")


def summarise(folder: Path, web: NewsWeb, watch: Watch, options: argparse.Namespace) -> list[SourceGroup]:
    """Return how the slow sources and the others fared."""
    hours, end = options.hours, START + options.hours * HOUR
    # Only with a fixed pace are home pages due by the clock; others may be visited sooner.
    lateness = shares_late if options.pace == "fixed" else shares_overdue
    found: Sequence[ArchiveScore | BareScore] = (
        compare_bare(folder, web) if options.form == "occurrences" else compare(folder, web)
    )
    scores = dict(zip((site.host for site in web.sites), found, strict=True))
    groups = []
    for name, hosts in (
        ("slow", [host for host in scores if host in watch.slow]),
        ("others", [host for host in scores if host not in watch.slow]),
    ):
        if not hosts:
            continue
        late = [lateness(watch.homes[host], HOUR, end) for host in hosts]
        asked = [len({(at - START) // HOUR for at in watch.homes[host]}) / hours for host in hosts]
        together = [share for shares in late for share in shares]
        own = [scores[host] for host in hosts]
        groups.append(
            SourceGroup(
                group=name,
                sources=len(hosts),
                least_asked=min(asked),
                p50=percentile(together, 50),
                p95=percentile(together, 95),
                worst_p95=max(percentile(shares, 95) for shares in late),
                published=sum(each.published for each in own),
                archived=sum(each.archived for each in own),
                wrong=sum(each.wrong for each in own),
                twice=sum(each.twice for each in own),
            )
        )
    return groups


def is_fair(groups: Sequence[SourceGroup]) -> bool:
    """Return whether no source is starved, and no home page is late that is not on a slow site."""
    is_starved = any(each.least_asked < MIN_ASKED for each in groups)
    return not is_starved and all(each.worst_p95 <= MAX_LATE for each in groups if each.group == "others")


def _table(groups: Sequence[SourceGroup]) -> str:
    head = ["group", "sources", "least asked", "p50", "p95", "worst p95", "published", "archived", "wrong", "twice"]
    rows = [
        [
            each.group,
            str(each.sources),
            f"{each.least_asked:.0%}",
            *(f"{share:.3f}" for share in (each.p50, each.p95, each.worst_p95)),
            *(f"{number:,}" for number in (each.published, each.archived, each.wrong, each.twice)),
        ]
        for each in groups
    ]
    return table.lay_out(head, rows, left=1)


def _memory_line(stocks: Sequence[Stock]) -> str:
    resident = [stock.resident for stock in stocks]
    first, last, peak = (_megabytes(size) for size in (resident[0], resident[-1], max(resident)))
    summary = (
        f"{first} after {stocks[0].hour} h, {last} after {stocks[-1].hour} h, {peak} at most; "
        f"{growth(resident):+.1%} over the last two thirds"
    )
    days = [f"{_megabytes(stock.resident)} ({stock.requests:,})" for stock in stocks if stock.hour % 24 == 0]
    return f"{summary}\nat the end of each day, with the requests so far: {', '.join(days)}" if days[1:] else summary


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.0f} MB"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.many_sources",
        description=DESCRIPTION.format(asked=MIN_ASKED, late=MAX_LATE, most=MAX_GROWTH),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sources", type=int, default=200, metavar="N", help="sites to follow (%(default)s)")
    parser.add_argument("--slow", type=int, default=20, metavar="N", help="how many of them are slow (%(default)s)")
    parser.add_argument("--seconds", type=float, default=25.0, metavar="S", help="what these take (%(default)s)")
    parser.add_argument("--hours", type=int, default=24, metavar="N", help="simulated hours (%(default)s)")
    parser.add_argument("--days", type=int, metavar="N", help="simulated days, instead of hours")
    parser.add_argument(
        "--as", dest="form", choices=("pages", "occurrences"), default="pages", help="what is served (%(default)s)"
    )
    parser.add_argument("--pace", choices=tuple(PACES), default="fixed", help="of sections (%(default)s)")
    parser.add_argument("--sections", type=int, default=Thinning().sections, metavar="N",
        help="of a site without HTML, at most (%(default)s)")  # fmt: skip
    parser.add_argument("--articles", type=float, default=Thinning().share_of_articles, metavar="SHARE",
        help="that a site without HTML publishes, of what it would (%(default)s)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other sites (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here, and as they come")
    options = parser.parse_args(arguments)
    options.hours = options.hours if options.days is None else 24 * options.days
    # To take stock, all garbage is collected, which takes as long as a hundred requests.
    options.stock_every = 1 if options.days is None else 6
    if min(options.sources, options.hours, options.sections) < 1 or not 0 <= options.slow <= options.sources:
        parser.error("--sources, --sections, --hours and --days must be at least 1, and --slow at most --sources")
    if options.articles <= 0:
        parser.error("--articles must be more than 0")
    return options


def _enter_environment() -> None:
    """Start this program again in the environment of a crawl, which libraries read when they are loaded."""
    if not ENVIRONMENT.items() <= os.environ.items():
        program = [sys.executable, "-m", "benchmarks.many_sources", *sys.argv[1:]]
        os.execve(sys.executable, program, {**os.environ, **ENVIRONMENT})  # noqa: S606 - our own words


if __name__ == "__main__":
    _enter_environment()
    sys.exit(main())
