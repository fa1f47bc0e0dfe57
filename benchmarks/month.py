"""The command: `python -m benchmarks.month [options]`."""

import argparse
import gc
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import machine, table
from benchmarks.memory import high_water
from benchmarks.progress import Progress, say
from benchmarks.web_process import FetchPage, served_web
from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import ENVIRONMENT
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.archive_score import ArchiveScore, score
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
#: All fronts are due at every interval, whatever comes to them.
EVERY_FRONT = NewsroomSettings(pace="fixed")
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
#: Memory is flat if it grows by at most this share over the last two thirds of the time; before that, caches fill.
MAX_GROWTH = 0.1
_MEGABYTE = 1_000_000

DESCRIPTION = """\
Follow sites of the built-in news web for a simulated month, with a snapshot of each every hour, and watch whether
memory stays flat.

At the end of every simulated day one row is printed: memory in use (resident, of this process, which crawls, judges and
reads in the environment of a crawl), the requests and the CPU time of the day, and the number of files that the archive
consists of, by folder. Files that were merged into others count as merged: they are kept for ten minutes of the
machine's time, which is a day or more here. Another process generates the pages, because it remembers more of them
every day. At the end the archive is compared with what the sites published.
"""
NOTES = """\
The exit code is 1 if memory grows by more than {most:.0%} over the last two thirds of the days (before that, caches
fill), by a line through them on which single days have no influence. Fewer than six days are too short to tell, and
always pass.

  python -m benchmarks.month --days 3 --sources 5      a quick look
  python -m benchmarks.month --json month.json         the whole month; takes long
"""


@dataclass(frozen=True, slots=True)
class DayEnd:
    """How things stood at the end of a simulated day."""

    day: int
    resident: int
    #: Requests and CPU seconds since the end of the day before.
    requests: int
    cpu: float
    #: How many files of each kind the archive consists of, how many merged ones were not removed yet, and all bytes.
    files: Mapping[str, int]
    merged: int
    size: int


@dataclass(slots=True)
class DayWatch:
    """Passes requests on to a web, and takes stock at the end of every simulated day."""

    folder: Path
    fetch_page: FetchPage
    report: Callable[[DayEnd], None]
    days: list[DayEnd] = field(default_factory=list)
    requests: int = 0
    _cpu: float = field(default_factory=time.process_time)

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Return the web's answer; the first request of a new day ends the day before."""
        while at >= START + (len(self.days) + 1) * DAY:
            self.end_day()
        self.requests += 1
        return self.fetch_page(url, at, headers)

    def end_day(self) -> None:
        """Take stock."""
        cpu = time.process_time()
        files, size = archive_files(self.folder)
        used = used_files(self.folder)
        merged = sum(files.get(kind, 0) - number for kind, number in used.items())
        end = DayEnd(len(self.days) + 1, resident_bytes(), self.requests, cpu - self._cpu, used, merged, size)
        self.days.append(end)
        self.report(end)
        self.requests, self._cpu = 0, time.process_time()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if memory grows."""
    options = _options(arguments)
    web = NewsWeb(options.seed, options.sources)
    begin, cpu = time.monotonic(), time.process_time()
    place = nullcontext(str(options.archive)) if options.archive else tempfile.TemporaryDirectory()
    with place as name:
        folder = Path(name)
        if folder.exists() and any(folder.iterdir()):
            say(f"{folder} is not empty; name a new folder with --archive")
            return 1
        with served_web(options.seed, options.sources) as fetch:
            days = follow(folder, web, fetch, options.days)
        seconds, cpu = time.monotonic() - begin, time.process_time() - cpu
        peak = high_water()
        scores = compare(folder, web)
    kinds = sorted({kind for day in days for kind in day.files})
    print(_table(days, kinds))
    print(f"\n{_memory_line(days, peak)}\n{_score_line(scores)}")
    requests = sum(day.requests for day in days)
    print(f"{requests:,} requests in {seconds:,.0f} s, {cpu:,.0f} s of CPU time ({cpu / requests * 1000:.1f} ms each)")
    print(machine.line(machine.describe(), requests, days[-1].size))
    if options.json:
        report = _report(options, days, scores, {"peak": peak, "seconds": seconds, "cpu": cpu})
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if is_flat([day.resident for day in days]) else 1


def follow(folder: Path, web: NewsWeb, fetch: FetchPage, days: int) -> list[DayEnd]:
    """Crawl all sites of a web hourly for some days; `fetch` gives its pages."""
    progress = Progress("days", days)
    watch = DayWatch(folder, fetch, lambda end: progress(end.day))
    # The snapshot that begins with the following day is not part of these days.
    span = (days * DAY).total_seconds() - 1
    assignment = Assignment(tuple(map(web.home, web.sites)), every=HOUR.total_seconds(), span=span)
    simulate(folder, watch.fetch, START, assignment, settings=EVERY_FRONT)
    while len(watch.days) < days:
        watch.end_day()
    return watch.days


def compare(folder: Path, web: NewsWeb) -> list[ArchiveScore]:
    """Compare an archive with the truth, site by site."""
    with Store.open(folder) as archive:
        sources = {source.url: source for source in archive.sources()}
        return [score(archive, sources[web.home(site)], web, site) for site in web.sites]


def is_flat(resident: Sequence[int]) -> bool:
    """Return whether memory has hardly grown since a third of the days; a few days are too short to tell."""
    return len(resident) < 6 or growth(resident) <= MAX_GROWTH


def growth(resident: Sequence[int]) -> float:
    """Return by which share memory grows over the last two thirds of the time, by Theil and Sen's line.

    A single day may be taken while something large is in hand; the median of the slopes does not heed it.
    """
    later = resident[len(resident) // 3 :]
    pairs = combinations(enumerate(later), 2)
    slope = median([(after - before) / (end - begin) for (begin, before), (end, after) in pairs] or [0.0])
    start = median(size - slope * day for day, size in enumerate(later))
    return slope * (len(later) - 1) / start


def resident_bytes() -> int:
    """Return the memory that this process has in use, without garbage that was not collected yet."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def archive_files(folder: Path) -> tuple[dict[str, int], int]:
    """Return how many files there are in each folder of an archive, and the bytes of all.

    SQLite's journals are left out: they come and go, and are as large as the last change was.
    """
    counts: Counter[str] = Counter()
    size = 0
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.endswith(("-wal", "-shm")):
            counts[path.relative_to(folder).parts[0] if path.parent != folder else "."] += 1
            size += path.stat().st_size
    return dict(counts), size


def used_files(folder: Path) -> dict[str, int]:
    """Return how many files of each kind the archive consists of: none of those that were merged into others."""
    catalogue = folder / "catalogue.sqlite"
    if not catalogue.exists():
        return {}
    with closing(sqlite3.connect(f"{catalogue.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return dict(connection.execute("SELECT kind, count(*) FROM files WHERE retired IS NULL GROUP BY kind"))


def _table(days: Sequence[DayEnd], kinds: Sequence[str]) -> str:
    head = ["day", "memory MB", "requests", "CPU s", "CPU ms per request", *kinds, "merged", "archive MB"]
    rows = [
        [
            str(day.day),
            f"{day.resident / _MEGABYTE:.1f}",
            f"{day.requests:,}",
            f"{day.cpu:.1f}",
            f"{day.cpu / max(1, day.requests) * 1000:.1f}",
            *(str(day.files.get(kind, 0)) for kind in kinds),
            str(day.merged),
            f"{day.size / _MEGABYTE:.1f}",
        ]
        for day in days
    ]
    return table.lay_out(head, rows, left=0)


def _memory_line(days: Sequence[DayEnd], peak: int) -> str:
    shown = {1: "day 1", 10: "day 10", len(days): f"day {len(days)}"}
    figures = [f"{name} {days[day - 1].resident / _MEGABYTE:.1f} MB" for day, name in shown.items() if day <= len(days)]
    grown = growth([day.resident for day in days])
    return f"memory: {', '.join(figures)}, peak {peak / _MEGABYTE:.1f} MB; {grown:+.1%} over the last two thirds"


def _score_line(scores: Sequence[ArchiveScore]) -> str:
    published, archived = (sum(getattr(each, name) for each in scores) for name in ("published", "archived"))
    wrong, twice = (sum(getattr(each, name) for each in scores) for name in ("wrong", "twice"))
    lowest = min(scores, key=lambda each: each.recall)
    return (
        f"articles: {archived:,} of {published:,} published were archived (recall {archived / max(1, published):.4f}, "
        f"lowest {lowest.recall:.4f} at {lowest.source}); {wrong} wrong, {twice} twice"
    )


def _report(
    options: argparse.Namespace, days: Sequence[DayEnd], scores: Sequence[ArchiveScore], figures: dict[str, float]
) -> dict[str, Any]:
    return {
        "machine": machine.describe(),
        "seed": options.seed,
        "sources": options.sources,
        **figures,
        "days": [asdict(day) for day in days],
        "scores": [each.to_dict() for each in scores],
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.month",
        description=DESCRIPTION,
        epilog=NOTES.format(most=MAX_GROWTH),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--days", type=int, default=30, metavar="N", help="simulated days (%(default)s)")
    parser.add_argument("--sources", type=int, default=20, metavar="N", help="sites to follow (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other sites (%(default)s)")
    parser.add_argument("--archive", type=Path, metavar="FOLDER", help="keep the archive in this new folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every day and site here")
    options = parser.parse_args(arguments)
    if min(options.days, options.sources) < 1:
        parser.error("--days and --sources must be at least 1")
    return options


def _enter_environment() -> None:
    """Start this program again in the environment of a crawl, which libraries read when they are loaded."""
    if not ENVIRONMENT.items() <= os.environ.items():
        program = [sys.executable, "-m", "benchmarks.month", *sys.argv[1:]]
        os.execve(sys.executable, program, {**os.environ, **ENVIRONMENT})  # noqa: S606 - our own words


if __name__ == "__main__":
    _enter_environment()
    sys.exit(main())
