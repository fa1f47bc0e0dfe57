"""The command: `python -m benchmarks.lateness [options]`."""

import argparse
import json
import math
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from benchmarks import table
from benchmarks.made_up_web import MadeUpSite, MadeUpWeb
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 11, 16, 6, tzinfo=UTC)
#: All fronts are due at every interval, whatever comes to them.
EVERY_FRONT = NewsroomSettings(pace="fixed")
HOUR = timedelta(hours=1)
#: The share of its interval by which a home page may be late, in 95 of 100 cases.
BAR = 0.1
#: Articles listed on each front of the crowded site, which has as many fronts as its articles need.
_CROWDED_LIST = 500

DESCRIPTION = """\
Measure how late home pages are asked for when two sites are difficult. In a simulated crawl, hourly in virtual time,
there are

  slow       a site whose server takes {slow:g} seconds for every answer
  crowded    a site with {crowded:,} articles to fetch, whose robots.txt asks for {delay:g} seconds between requests
  ordinary   {ordinary} sites with some new articles per hour

A home page is due when the crawl begins and every hour from then on, counted from when it was first asked for. A
request serves the due time that it is nearest to or that it follows; a due time that no request served until the end
counts as late by at least the time that was left.
"""
NOTES = """\
The exit code is 1 if the 95th percentile of any site is more than {bar:g} of an hour.

  python -m benchmarks.lateness --hours 6 --articles 500      a quick look
  python -m benchmarks.lateness --json lateness.json
"""


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late the home pages of a group were, as shares of the interval; `worst_p95` is that of its worst site."""

    group: str
    sites: int
    #: How often its home pages were asked for, how often they were due, and all requests to its sites.
    asked: int
    due: int
    requests: int
    p50: float
    p95: float
    longest: float
    worst_p95: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if any home page is late too often."""
    options = _options(arguments)
    groups = made_up_groups(options.ordinary, options.articles, options.crawl_delay, options.seconds)
    web = MadeUpWeb(tuple(site for sites in groups.values() for site in sites))
    cpu = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        span = options.hours * HOUR.total_seconds() - 1
        assignment = Assignment(tuple(site.home for site in web.sites), every=HOUR.total_seconds(), span=span)
        # Virtual time passes fast: a commit every few seconds of it would take most of the run.
        simulate(Path(folder), web.fetch, START, assignment, settings=EVERY_FRONT, commit_often=False)
    cpu = time.process_time() - cpu
    end = START + options.hours * HOUR
    rows = [summarise(name, sites, web, end) for name, sites in groups.items()]
    print(_table(rows))
    worst = max(row.worst_p95 for row in rows)
    print(f"\nthe 95th percentile of the worst site is {worst:.3f} of its interval (at most {BAR:g})")
    print(f"{len(web.asked):,} requests in {options.hours} simulated hours, {cpu:.0f} s of CPU time")
    if options.json:
        report = {"hours": options.hours, "worst_p95": worst, "groups": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if worst <= BAR else 1


def made_up_groups(ordinary: int, articles: int, crawl_delay: float, seconds: float) -> dict[str, list[MadeUpSite]]:
    """Return the sites by group."""
    # In the first hour its server cannot answer for all that its fronts link to.
    slow = MadeUpSite("slow.example", START, fronts=8, published=400, published_hourly=20, listed=50, seconds=seconds)
    crowded = MadeUpSite(
        "crowded.example",
        START,
        fronts=max(1, -(-articles // _CROWDED_LIST)),
        published=articles,
        listed=_CROWDED_LIST,
        crawl_delay=crawl_delay,
    )
    return {
        "slow": [slow],
        "crowded": [crowded],
        "ordinary": [MadeUpSite(f"ordinary{number}.example", START) for number in range(ordinary)],
    }


def summarise(group: str, sites: Sequence[MadeUpSite], web: MadeUpWeb, end: datetime) -> Lateness:
    """Return how late the home pages of some sites were."""
    homes = {site.home: web.times_of(site.home) for site in sites}
    hosts = {site.host for site in sites}
    late = {home: shares_late(times, HOUR, end) for home, times in homes.items()}
    together = [share for shares in late.values() for share in shares]
    return Lateness(
        group=group,
        sites=len(sites),
        asked=sum(map(len, homes.values())),
        due=len(together),
        requests=sum(1 for url, _ in web.asked if url.split("/")[2] in hosts),
        p50=percentile(together, 50),
        p95=percentile(together, 95),
        longest=max(together),
        worst_p95=max(percentile(shares, 95) for shares in late.values()),
    )


def shares_late(asked: Sequence[datetime], every: timedelta, end: datetime) -> list[float]:
    """Return how late a page was asked for at each time that it was due, as shares of its interval.

    It is due at regular intervals from when it was first asked for. A request up to half an interval early serves its
    due time as well. One that was never asked for was due at the start, and is late until the end.
    """
    if not asked:
        return [math.inf]
    shares = []
    due = asked[0]
    while due < end:
        place = bisect_left(asked, due - every / 2)
        served = asked[place] if place < len(asked) else end
        shares.append(max(served - due, timedelta()) / every)
        due += every
    return shares


def shares_overdue(asked: Sequence[datetime], every: timedelta, end: datetime) -> list[float]:
    """Return by how much more than an interval lay between two requests for a page, as shares of its interval.

    This is for pages that may be asked for sooner: the next time then counts from that request, not by the clock.
    """
    if not asked:
        return [math.inf]
    return [max(later - earlier - every, timedelta()) / every for earlier, later in pairwise([*asked, end])]


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest of the values that so many percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _table(rows: Sequence[Lateness]) -> str:
    head = ["group", "sites", "requests", "home asked", "home due", "p50", "p95", "longest", "worst site's p95"]
    cells = [
        [
            row.group,
            *(f"{number:,}" for number in (row.sites, row.requests, row.asked, row.due)),
            *(f"{share:.3f}" for share in (row.p50, row.p95, row.longest, row.worst_p95)),
        ]
        for row in rows
    ]
    return table.lay_out(head, cells, left=1)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    defaults = {"ordinary": 20, "articles": 5_000, "crawl_delay": 10.0, "seconds": 25.0, "hours": 24}
    parser = argparse.ArgumentParser(
        "python -m benchmarks.lateness",
        description=DESCRIPTION.format(
            slow=defaults["seconds"],
            crowded=defaults["articles"],
            delay=defaults["crawl_delay"],
            ordinary=defaults["ordinary"],
        ),
        epilog=NOTES.format(bar=BAR),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(**defaults)
    parser.add_argument("--hours", type=int, metavar="N", help="simulated hours (%(default)s)")
    parser.add_argument("--ordinary", type=int, metavar="N", help="ordinary sites (%(default)s)")
    parser.add_argument("--articles", type=int, metavar="N", help="articles of the crowded site (%(default)s)")
    parser.add_argument("--crawl-delay", type=float, metavar="S", help="seconds it asks for (%(default)s)")
    parser.add_argument("--seconds", type=float, metavar="S", help="what the slow site takes to answer (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every group here")
    options = parser.parse_args(arguments)
    if min(options.hours, options.ordinary, options.articles) < 1 or min(options.crawl_delay, options.seconds) < 0:
        parser.error("--hours, --ordinary and --articles must be at least 1, the others not negative")
    return options


if __name__ == "__main__":
    sys.exit(main())
