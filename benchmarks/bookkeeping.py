"""The command: `python -m benchmarks.bookkeeping [options]`."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from benchmarks import machine, table
from benchmarks.made_up_web import MadeUpSite, MadeUpWeb
from benchmarks.progress import Progress
from broadsheet.archive import gzip_members
from broadsheet.base.garbage import search_less_often, spare_what_stays
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling import simulated
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.newsroom import sightings, target_judges
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.judges import LinkJudge
from broadsheet.newsroom.judging import judge_addresses
from broadsheet.newsroom.line import FilterLine
from broadsheet.newsroom.link_memory import LinkMemory
from broadsheet.pages.url_verdicts import UrlVerdicts
from broadsheet.simulation import simulated_crawl

#: Milliseconds of CPU time that the archive and the newsroom may take for a page.
BAR = 1.0
START = datetime(2026, 11, 16, 6, tzinfo=UTC)
HOUR = timedelta(hours=1).total_seconds()

DESCRIPTION = """\
Measure the CPU time per page that a crawl spends on keeping books: what the archive and the newsroom take, without
fetching pages, parsing them, judging them and reading them.

Some made-up sites are crawled in virtual time, in this process and without sockets. The CPU time of the whole run is
then divided into

  the web       making the answers of the made-up sites
  page work     parsing, judging and reading the pages
  judging links judging the address of every link, with the reasons
  bookkeeping   all else that the newsroom does whenever the crawler calls it, commits and merging included; `of which
                compression` is what compressing the archive's records takes, and `of which links over time` what the
                judge of sources takes: following links, and judging their targets together
  opening       making the archive and loading the filters before the first page, and closing the archive after the
                last: once for a crawl, however long it is
  the engine    all the rest: Scrapy and our middlewares
"""
NOTES = """\
The exit code is 1 if bookkeeping takes more than {bar:g} ms per page. CPU time is used throughout, so other programs
disturb little; the cheapest of --repeat runs counts.

  python -m benchmarks.bookkeeping --hours 24 --json bookkeeping.json
"""

T = TypeVar("T")
_Decide = Callable[[Outcome], Awaitable[list[Request]]]


class Meter:
    """Adds up the CPU time of the calls it wraps."""

    def __init__(self) -> None:
        """Start at nothing."""
        self.seconds = 0.0
        self.calls = 0

    def wrap(self, call: Callable[..., T]) -> Callable[..., T]:
        """Return the same callable, measured."""

        def measured(*arguments: Any, **named: Any) -> T:  # noqa: ANN401 - those of any callable
            begin = time.process_time()
            try:
                return call(*arguments, **named)
            finally:
                self.seconds += time.process_time() - begin
                self.calls += 1

        return measured

    def wrap_async(self, call: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[T]]:
        """Return the same coroutine function, measured; only for one that waits for nothing outside of it."""

        async def measured(*arguments: Any) -> T:  # noqa: ANN401 - those of any callable
            begin = time.process_time()
            try:
                return await call(*arguments)
            finally:
                self.seconds += time.process_time() - begin
                self.calls += 1

        return measured


@dataclass(frozen=True, slots=True)
class Spending:
    """CPU seconds of one crawl by what they were spent on."""

    pages: int
    #: Bytes of the answers as they were sent.
    size: int
    total: float
    web: float
    page_work: float
    judging_links: float
    bookkeeping: float
    opening: float
    compression: float
    #: What following the links of sources over time took, and judging by them.
    links_over_time: float = 0.0

    @property
    def engine(self) -> float:
        """What the crawler took."""
        return self.total - self.web - self.page_work - self.judging_links - self.bookkeeping - self.opening

    def milliseconds(self, seconds: float) -> float:
        """Return seconds as milliseconds per page."""
        return seconds / self.pages * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if bookkeeping is too expensive."""
    options = _options(arguments)
    sites = tuple(
        MadeUpSite(
            f"news{number}.example",
            START,
            fronts=options.fronts,
            published=options.published,
            published_hourly=options.hourly,
            padding=options.padding,
            paragraphs=20,
        )
        for number in range(options.sites)
    )
    # As the process does that crawls.
    spare_what_stays()
    search_less_often()
    progress = Progress("runs", options.repeat)
    runs = []
    for done in range(1, options.repeat + 1):
        with tempfile.TemporaryDirectory() as folder:
            runs.append(measure(Path(folder), sites, options.hours, options.judge))
        progress(done)
    best = min(runs, key=lambda run: run.milliseconds(run.bookkeeping))
    print(_table(best))
    spent = best.milliseconds(best.bookkeeping)
    print(f"\nbookkeeping takes {spent:.2f} ms of CPU time per page (at most {BAR:g})")
    print(machine.line(machine.describe(), best.pages, best.size))
    if options.json:
        report = {"machine": machine.describe(), "bookkeeping_ms": spent, "runs": [asdict(run) for run in runs]}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if spent <= BAR else 1


def measure(folder: Path, sites: tuple[MadeUpSite, ...], hours: int, judge: str = "links") -> Spending:
    """Crawl sites for some hours, and divide the CPU time that it took."""
    web = MadeUpWeb(sites)
    fetching, newsroom, page_work = Meter(), Meter(), Meter()
    judging, compression, following, crawling = Meter(), Meter(), Meter(), Meter()
    assignment = Assignment(tuple(site.home for site in sites), every=HOUR, snapshots=hours)
    settings = NewsroomSettings(judge=judge, pace="fixed")
    with _metered(page_work, judging, compression, following), _called(newsroom, crawling):
        begin = time.process_time()
        progress = simulated_crawl.simulate(folder, fetching.wrap(web.fetch), START, assignment, settings=settings)
        total = time.process_time() - begin
    return Spending(
        pages=sum(1 for url, _ in web.asked if not url.endswith("/robots.txt")),
        size=progress.bytes,
        total=total,
        web=fetching.seconds,
        page_work=page_work.seconds,
        judging_links=judging.seconds,
        bookkeeping=newsroom.seconds - page_work.seconds - judging.seconds,
        opening=total - crawling.seconds,
        compression=compression.seconds,
        links_over_time=following.seconds,
    )


@contextmanager
def _metered(page_work: Meter, judging: Meter, compression: Meter, following: Meter) -> Iterator[None]:
    """Measure the work on pages, judging and following links, and compressing records, wherever they are done.

    This is the only place that knows which functions do that work.
    """
    judge = judging.wrap(judge_addresses)
    with _replaced(
        (FilterLine, "apply", page_work.wrap(FilterLine.apply)),
        (sightings, "judge_addresses", judge),
        (target_judges, "judge_addresses", judge),
        (LinkMemory, "see", following.wrap(LinkMemory.see)),
        (LinkMemory, "see_again", following.wrap(LinkMemory.see_again)),
        (LinkJudge, "__call__", following.wrap(LinkJudge.__call__)),
        # Its reasons are part of a verdict, and are computed when it is taken.
        (UrlVerdicts, "verdict", judging.wrap(UrlVerdicts.verdict)),
        (gzip_members, "compressed", compression.wrap(gzip_members.compressed)),
        (gzip_members, "with_stored_tail", compression.wrap(gzip_members.with_stored_tail)),
    ):
        yield


@contextmanager
def _called(newsroom: Meter, crawling: Meter) -> Iterator[None]:
    """Measure all calls of the crawler to the newsroom, and the whole crawl from the first request to the last."""
    crawl = simulated.crawl

    def measured(requests: Iterable[Request], decide: _Decide, **others: Any) -> None:  # noqa: ANN401 - passed on
        for name in ("idle", "wake", "is_wanted", "is_lasting"):
            others[name] = newsroom.wrap(others[name])
        crawl(requests, newsroom.wrap_async(decide), **others)

    with _replaced((simulated, "crawl", crawling.wrap(measured))):
        yield


@contextmanager
def _replaced(*replacements: tuple[Any, str, object]) -> Iterator[None]:
    """Replace attributes of modules or classes while inside."""
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    for owner, name, value in replacements:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)


def _table(run: Spending) -> str:
    rows = (
        ("the web", run.web),
        ("the engine", run.engine),
        ("page work", run.page_work),
        ("judging links", run.judging_links),
        ("opening", run.opening),
        ("bookkeeping", run.bookkeeping),
        ("of which compression", run.compression),
        ("of which links over time", run.links_over_time),
        ("total", run.total),
    )
    cells = [[name, f"{run.milliseconds(spent):.3f}", f"{spent / run.total:.0%}"] for name, spent in rows]
    return table.lay_out(["spent on", "CPU ms per page", "share"], cells, left=1)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.bookkeeping",
        description=DESCRIPTION,
        epilog=NOTES.format(bar=BAR),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sites", type=int, default=4, metavar="N", help="sites of the same kind (%(default)s)")
    parser.add_argument("--hours", type=int, default=12, metavar="N", help="hourly snapshots (%(default)s)")
    parser.add_argument("--hourly", type=float, default=12.0, metavar="N", help="new articles per hour (%(default)s)")
    parser.add_argument("--published", type=int, default=100, metavar="N", help="articles at the start (%(default)s)")
    parser.add_argument("--fronts", type=int, default=5, metavar="N", help="sections of each site (%(default)s)")
    parser.add_argument(
        "--padding", type=int, default=80_000, metavar="N", help="characters of scripts in each page (%(default)s)"
    )
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="the cheapest of K runs (%(default)s)")
    parser.add_argument("--judge", default="links", metavar="NAME", help="the judge of sources (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every run here")
    options = parser.parse_args(arguments)
    if (
        min(options.sites, options.hours, options.fronts, options.repeat) < 1
        or min(options.hourly, options.published) < 0
    ):
        parser.error("--sites, --hours, --fronts and --repeat must be at least 1, the others not negative")
    return options


if __name__ == "__main__":
    sys.exit(main())
