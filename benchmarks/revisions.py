"""The command: `python -m benchmarks.revisions [options]`."""

import argparse
import json
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from benchmarks import table
from benchmarks.progress import say
from benchmarks.revisit_model import ModelCrawl
from broadsheet.archive import Store
from broadsheet.base import urls
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.revisit_tally import RevisitTally
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.site_knobs import LIFELIKE_REVISIONS, Knobs, RevisionKnobs
from broadsheet.newsweb.truth import RevisionTruth
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 11, 16, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: Revisions of articles younger than this count, and are caught if they are archived within so long.
YOUNG, IN_TIME = timedelta(days=2), timedelta(hours=2)
#: What has to be caught in time, for how many more requests.
MIN_CAUGHT, MAX_EXTRA = 0.95, 0.25
#: Moves and removals are not revisions of the text.
TEXT_CHANGES = frozenset({"correction", "headline", "rewrite", "live"})
BASELINE, DEFAULT, BUDGET = "never", NewsroomSettings().revisits, NewsroomSettings().revisit_budget
#: How often articles change: like most sites, as the news web does by default, and hardly ever.
RATES: Mapping[str, RevisionKnobs] = {
    "lifelike": LIFELIKE_REVISIONS,
    "even": RevisionKnobs(),
    "rare": replace(LIFELIKE_REVISIONS, corrected=0.01, retitled=0.005, rewritten=0.005, live=0.0),
}

#: A revision, and how long it took to be archived; None if it never was.
FoundRevision = tuple[RevisionTruth, timedelta | None]

DESCRIPTION = """\
Measure which revisions of articles a crawl catches, and at what price. The built-in news web is crawled hourly in
virtual time, once for each policy of visiting articles again; the truth says when each article changed.

A revision counts if the article is younger than two days, was archived before, and at least two hours are left until
the end. It is caught when a version that was fetched after it is archived. What is given for a policy:

  in time    the share of revisions caught within two hours
  caught     the share caught at all
  delay      the median time until they were caught
  extra      the requests beyond those of a crawl that visits no article again, as a share of these
  each       such requests per revision caught

"+ dates" means that the sites have a sitemap, which says when articles were modified, beside their feed, which does
not. Both are followed as any crawl follows them, with revisits or without: "sitemaps" says how many requests to
sitemaps there were, as a share of the same.

With --model nothing is fetched: a model of the crawl is told by the news web what it would find. That takes a hundredth
of the time, and differs from a crawl by what a crawl misses.
"""
NOTES = """\
The exit code is 1 if the default policy with dates catches less than {caught:.0%} in time or takes more than
{extra:.0%} more requests.

  python -m benchmarks.revisions --days 3 --sites 1 --policies adaptive,steady
  python -m benchmarks.revisions --model --sites 30 --days 5 --budgets 0.1,0.3,1 --json revisions.json
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A crawl under one policy."""

    policy: str
    budget: float | None
    dates: bool
    requests: int
    sitemaps: int
    cpu_seconds: float
    #: How long each revision that counts took to be caught, in hours; None if it never was.
    delays: tuple[float | None, ...]
    #: Of what kind each of them was, and whether the page kept silent about it.
    kinds: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What a policy catches, and at what price."""

    policy: str
    budget: float | None
    dates: bool
    revisions: int
    in_time: float
    caught: float
    delay_hours: float | None
    requests: int
    extra: float
    sitemaps: float
    requests_each: float | None
    in_time_by_kind: dict[str, float]
    cpu_seconds: float


class CountedWeb:
    """Answers for a news web, and counts what is asked for; `robots.txt` is not counted."""

    def __init__(self, web: NewsWeb) -> None:
        """Take the web."""
        self._web = web
        self.requests = 0
        self.sitemaps = 0

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer a request."""
        self.requests += not url.endswith("/robots.txt")
        self.sitemaps += "sitemap" in url
        return self._web.fetch(url, at, headers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if the default policy misses its bars."""
    options = _options(arguments)
    runs = []
    for policy, budget, dates in _wanted(options):
        web = make_web(options.seed, options.sites, options.rate, dates=dates)
        runs.append((model if options.model else measure)(web, policy, budget, options.days, dates=dates))
        say(f"{_name(runs[-1])}: {runs[-1].requests:,} requests, {runs[-1].cpu_seconds:.0f} s of CPU time")
    base = {run.dates: run.requests for run in runs if run.policy == BASELINE}
    results = [summarise(run, base[run.dates]) for run in runs]
    print(_table(results))
    print(f"\n{_signs(runs[0])}")
    chosen = [row for row in results if row.policy == DEFAULT and row.dates and row.budget == BUDGET]
    is_met = all(row.in_time >= MIN_CAUGHT and row.extra <= MAX_EXTRA for row in chosen)
    if options.json:
        report = {"rate": options.rate, "days": options.days, "sites": options.sites, "seed": options.seed}
        rows = [asdict(row) for row in results]
        options.json.write_text(json.dumps({**report, "policies": rows}, indent=1) + "\n", encoding="utf-8")
    return 0 if is_met else 1


def make_web(seed: int, sites: int, rate: str, *, dates: bool) -> NewsWeb:
    """Return a news web whose articles change at a rate, with or without sitemaps that say when."""
    return NewsWeb(seed, sites, Knobs(revisions=RATES[rate], sitemap="good" if dates else "missing"))


def measure(web: NewsWeb, policy: str, budget: float | None, days: float, *, dates: bool) -> Run:
    """Crawl a news web under a policy, and compare the archive with the truth."""
    counted = CountedWeb(web)
    settings = NewsroomSettings(revisits=policy, revisit_budget=BUDGET if budget is None else budget, pace="fixed")
    span = days * 24 * 3600 - 1
    assignment = Assignment(tuple(map(web.home, web.sites)), every=HOUR.total_seconds(), span=span)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        simulate(
            Path(folder),
            counted.fetch,
            START,
            assignment,
            commit_often=False,
            settings=settings,
        )
        with Store.open(folder) as archive:
            found = delays(web, archive, START + timedelta(days=days))
    spent = time.process_time() - began
    return _run(policy, budget, dates, counted.requests, counted.sitemaps, spent, found)


def model(web: NewsWeb, policy: str, budget: float | None, days: float, *, dates: bool) -> Run:
    """Do without fetching: count what a crawl of a news web would ask for under a policy, and what it would find."""
    settings = NewsroomSettings(revisits=policy, revisit_budget=BUDGET if budget is None else budget, pace="fixed")
    began, end, pool = time.process_time(), START + timedelta(days=days), RevisitTally()
    crawls = [ModelCrawl(web, site, (START, end), settings, pool) for site in web.sites]
    found: list[FoundRevision] = []
    for crawl in crawls:
        crawl.run(dates=dates)
        for article in crawl.articles:
            found += delays_of(article.published, article.revisions, article.versions, end)
    requests = sum(crawl.tally.other_requests + crawl.tally.visits.total() for crawl in crawls)
    sitemaps = sum(crawl.sitemaps for crawl in crawls)
    return _run(policy, budget, dates, requests, sitemaps, time.process_time() - began, found)


def _run(  # noqa: PLR0913, PLR0917 - what a run is
    policy: str,
    budget: float | None,
    dates: bool,
    requests: int,
    sitemaps: int,
    seconds: float,
    found: Sequence[FoundRevision],
) -> Run:
    hours = tuple(None if delay is None else delay / HOUR for _, delay in found)
    kinds = tuple((str(revision.kind), revision.silent) for revision, _ in found)
    return Run(policy, budget, dates, requests, sitemaps, seconds, hours, kinds)


def delays(web: NewsWeb, archive: Store, end: datetime) -> list[FoundRevision]:
    """Return the revisions that count, each with how long it took to be archived."""
    found: list[FoundRevision] = []
    for article in web.articles(START - YOUNG, end):
        history = web.revisions(article.url)
        keys = {urls.key(each.article.url) for each in history if each.article}
        fetched = sorted(stored.fetched_at for key in keys for stored in archive.versions(key))
        found += delays_of(article.published, history, fetched, end)
    return found


def delays_of(
    published: datetime, history: Sequence[RevisionTruth], fetched: Sequence[datetime], end: datetime
) -> Iterator[FoundRevision]:
    """Yield the revisions of an article that count, given when its versions were fetched."""
    for revision in history:
        is_young = revision.at - published < YOUNG and revision.at <= end - IN_TIME
        if revision.kind in TEXT_CHANGES and is_young and fetched and revision.at > fetched[0]:
            place = bisect_left(fetched, revision.at)
            yield revision, fetched[place] - revision.at if place < len(fetched) else None


def summarise(run: Run, base: int) -> PolicyResult:
    """Return what a policy has caught, compared with a crawl of so many requests without it."""
    caught = [delay for delay in run.delays if delay is not None]
    is_in_time = [delay is not None and delay <= IN_TIME / HOUR for delay in run.delays]
    number = max(1, len(run.delays))
    labels = [f"{kind}{', silent' if silent else ''}" for kind, silent in run.kinds]
    total, timely = Counter(labels), Counter(label for label, ok in zip(labels, is_in_time, strict=True) if ok)
    return PolicyResult(
        policy=run.policy,
        budget=run.budget,
        dates=run.dates,
        revisions=len(run.delays),
        in_time=sum(is_in_time) / number,
        caught=len(caught) / number,
        delay_hours=median(caught) if caught else None,
        requests=run.requests,
        extra=(run.requests - base) / base,
        sitemaps=run.sitemaps / base,
        requests_each=(run.requests - base) / len(caught) if caught else None,
        in_time_by_kind={label: timely[label] / total[label] for label in sorted(total)},
        cpu_seconds=run.cpu_seconds,
    )


def _wanted(options: argparse.Namespace) -> list[tuple[str, float | None, bool]]:
    """Return policy, budget and whether there are dates, of each crawl; the baselines come first."""
    wanted: list[tuple[str, float | None, bool]] = [(BASELINE, None, dates) for dates in (False, True)]
    for policy in options.policies:
        budgets: Sequence[float | None] = options.budgets if policy == DEFAULT else [None]
        wanted += [(policy, budget, dates) for dates in (False, True) for budget in budgets]
    return wanted


def _signs(run: Run) -> str:
    """Say which revisions can be noticed without asking for the article."""
    total = max(1, len(run.kinds))
    headline = sum(kind == "headline" for kind, _ in run.kinds) / total
    dated = sum(not silent for _, silent in run.kinds) / total
    unseen = sum(silent and kind != "headline" for kind, silent in run.kinds) / total
    return (
        f"Of {len(run.kinds):,} revisions, {headline:.0%} change the headline, which fronts show, and {dated:.0%} the "
        f"date of modification, which sitemaps show; {unseen:.0%} show nowhere but in the article."
    )


def _name(row: Run | PolicyResult) -> str:
    budget = "" if row.budget is None else f" {row.budget:g}"
    return f"{row.policy}{budget}{' + dates' if row.dates else ''}"


def _table(rows: Sequence[PolicyResult]) -> str:
    head = ["policy", "revisions", "in time", "caught", "delay", "requests", "extra", "each", "sitemaps"]
    cells = [
        [
            _name(row),
            f"{row.revisions:,}",
            f"{row.in_time:.3f}",
            f"{row.caught:.3f}",
            "" if row.delay_hours is None else f"{row.delay_hours:.2f} h",
            f"{row.requests:,}",
            f"{row.extra:+.1%}",
            "" if row.requests_each is None else f"{row.requests_each:.1f}",
            f"{row.sitemaps:+.1%}" if row.dates else "",
        ]
        for row in rows
    ]
    return table.lay_out(head, cells, left=1)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.revisions",
        description=DESCRIPTION,
        epilog=NOTES.format(caught=MIN_CAUGHT, extra=MAX_EXTRA),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--days", type=float, default=4.0, metavar="D", help="simulated days (%(default)s)")
    parser.add_argument("--sites", type=int, default=3, metavar="N", help="sites of the news web (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed gives other news (%(default)s)")
    parser.add_argument("--rate", choices=RATES, default="lifelike", help="how often articles change (%(default)s)")
    parser.add_argument(
        "--policies",
        type=_names,
        default=_names("once,steady,signs,adaptive"),
        metavar="NAME,…",
        help="what to measure",
    )
    parser.add_argument(
        "--budgets", type=_numbers, default=[BUDGET], metavar="B,…", help=f"budgets of the adaptive policy ({BUDGET:g})"
    )
    parser.add_argument("--model", action="store_true", help="only model the crawl")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    options = parser.parse_args(arguments)
    if options.days <= 0 or options.sites < 1:
        parser.error("--days must be more than 0, and --sites at least 1")
    return options


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _names(text)]


if __name__ == "__main__":
    sys.exit(main())
