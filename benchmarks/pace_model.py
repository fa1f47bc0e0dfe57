"""A model of a crawl that fetches nothing: the policies of pacing sections, on the links of planned news web sites.

All fronts of a site are known from the start; the home page is visited at the given interval or sooner, each section
as the policy says. Articles count that a front first links to after the first day and six hours before the end. One
that was never seen is late until the end.

    python -m benchmarks.pace_model --seed 2 --sites 3 --days 4 --least 15 30 60
"""

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from heapq import heapify, heappop, heappush

from benchmarks.progress import say
from benchmarks.table import lay_out
from broadsheet.base import urls
from broadsheet.newsroom.arrival_rhythm import HOUR
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.pace_policies import PACES, build_pace
from broadsheet.newsweb.drawn_sites import draw_sites
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb

#: A Thursday, so that a weekend follows.
START = datetime(2026, 3, 5, tzinfo=UTC)
LEARNING, TAIL = timedelta(days=1), timedelta(hours=6)
#: Visits begin at multiples of this; how fast fronts change is looked at as often.
GRAIN = timedelta(minutes=5)
TRUTH_GRAIN = timedelta(minutes=10)
#: Articles that are older are not told from other links.
OLDEST = timedelta(days=20)

#: Links to the same article may differ in their host and in tracking parameters.
_key = lru_cache(maxsize=1 << 16)(urls.key)


class SiteFronts:
    """The articles that the fronts of a site link to, at any time."""

    def __init__(self, site: Site, end: datetime) -> None:
        """Take the fronts that there are at the start."""
        self._web = NewsWeb(sites=[site])
        self.end = end
        self.home = self._web.home(site)
        pages = self._web.permanent_pages(site, START)
        self.pages = [page.url for page in pages if page.subtype in {"home", "front"}]
        self._articles = {
            _key(article.url) for article in self._web.articles(START - OLDEST, end, site=site, outlines=True)
        }
        self._listed: dict[tuple[str, datetime], frozenset[str]] = {}

    def listed(self, page: str, at: datetime) -> frozenset[str]:
        """Return the articles on a front at a time."""
        if (page, at) not in self._listed:
            targets = {_key(link.url) for link in self._web.occurrences(page, at)}
            self._listed[page, at] = frozenset(targets & self._articles)
        return self._listed[page, at]

    def first_linked(self) -> dict[str, datetime]:
        """Return when each article was first linked to, for those that count."""
        seen: dict[str, datetime] = {}
        at = START
        while at < self.end - TAIL:
            for page in self.pages:
                for url in self.listed(page, at):
                    seen.setdefault(url, at)
            at += TRUTH_GRAIN
        return {url: at for url, at in seen.items() if at > START + LEARNING}


@dataclass(slots=True)
class PaceResult:
    """What a policy has reached at one shortest interval, over all sites."""

    policy: str
    least: timedelta
    requests: int = 0
    changed: int = 0
    found: int = 0
    delays: list[float] = field(default_factory=list)

    def add(self, fronts: SiteFronts, truth: dict[str, datetime]) -> None:
        """Crawl a site, and count what counts."""
        known = dict(self.crawl(fronts))
        for url, linked in truth.items():
            self.found += url in known
            self.delays.append(max(0.0, (known.get(url, fronts.end) - linked) / HOUR))

    def crawl(self, fronts: SiteFronts) -> Iterator[tuple[str, datetime]]:
        """Yield each article with the time when it was first seen, and count visits."""
        policy = build_pace(self.policy)
        source, known = SourceTurnover(fronts.home), set[str]()
        last: dict[str, frozenset[str]] = {}
        came: dict[tuple[str, str], datetime] = {}
        due = [(START, page) for page in fronts.pages]
        heapify(due)
        while due[0][0] < fronts.end:
            now, page = heappop(due)
            listed, before = fronts.listed(page, now), last.get(page, frozenset())
            first = listed - known
            yield from ((url, now) for url in first)
            known |= first
            last[page] = listed
            is_counted = now >= START + LEARNING
            self.requests += is_counted
            self.changed += is_counted and listed != before
            kept = len(listed & before)
            if before:
                came |= {(page, url): now for url in listed - before}
            visit = FrontVisit(
                at=now,
                articles=len(listed),
                new=len(listed - before),
                first=len(first),
                kept=kept,
                before=len(before),
                left=[at for url in before - listed if (at := came.pop((page, url), None)) is not None],
                is_gap=bool(before) and not kept,
            )
            front = source.see(page, visit)
            front.every = policy.next_interval(source, page, self.least, now) if front.hours > 0 else self.least
            if page == fronts.home:
                front.every = min(front.every, self.least)
            heappush(due, (now + max(GRAIN, round(front.every / GRAIN) * GRAIN), page))

    def row(self) -> list[str]:
        """Return the figures as text."""
        delays = sorted(self.delays)
        late = statistics.quantiles(delays, n=20)
        return [
            self.policy,
            f"{self.least / timedelta(minutes=1):.0f} min",
            f"{self.requests:,}",
            f"{self.changed:,}",
            f"{self.found / len(delays):.4f}",
            f"{statistics.mean(delays):.2f}",
            f"{statistics.median(delays):.2f}",
            f"{late[-1]:.2f}",
        ]


HEADER = ["policy", "shortest interval", "requests", "changed", "recall", "mean delay, h", "median", "p95"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    end = START + timedelta(days=options.days)
    results = [PaceResult(name, timedelta(minutes=least)) for name in options.policies for least in options.least]
    for site in draw_sites(options.seed, options.sites):
        fronts = SiteFronts(site, end)
        truth = fronts.first_linked()
        for result in results:
            result.add(fronts, truth)
        say(f"{site.slug}: {len(fronts.pages)} fronts, {len(truth)} articles")
    results.sort(key=lambda result: result.requests)
    print(lay_out(HEADER, [result.row() for result in results], left=2))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.pace_model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=2, help="seeds from 1,000 on are for judging (%(default)s)")
    parser.add_argument("--sites", type=int, default=3, help="how many sites (%(default)s)")
    parser.add_argument("--days", type=float, default=4.0, help="how long, one day of learning included (%(default)s)")
    parser.add_argument(
        "--least", type=int, nargs="+", default=[15, 30, 60], metavar="MINUTES", help="shortest intervals to try"
    )
    parser.add_argument("--policies", nargs="+", default=list(PACES), help="which policies to try")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
