"""The command: `python -m benchmarks.feeds [options]`."""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean

from benchmarks import machine, table
from benchmarks.progress import say
from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.site_knobs import Knobs
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.archive_score import score
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = 3600.0
#: Good feeds may leave at most this share of the bytes that it takes to find an article.
GOOD_BAR = 0.5
#: Feeds that are of no use may add at most this share to all bytes.
BAD_BAR = 0.02
WITHOUT = "no feeds"

CASES: Mapping[str, Knobs] = {
    WITHOUT: Knobs(),
    "good": Knobs(),
    "good, Atom": Knobs(feed_format="atom", sitemap="missing"),
    "good, JSON": Knobs(feed_format="json", sitemap="missing"),
    "good, sitemap index": Knobs(feed="missing", sitemap_form="index", sitemap_gzip=True),
    "unannounced": Knobs(announced=False),
    "missing": Knobs(feed="missing", sitemap="missing"),
    "stale": Knobs(feed="stale", sitemap="stale"),
    "foreign": Knobs(feed="foreign", sitemap="foreign"),
    "broken": Knobs(feed="broken", sitemap="broken"),
    "misdated": Knobs(feed="misdated", sitemap="misdated"),
}
#: Those whose feeds list every article.
GOOD = ("good", "good, Atom", "good, JSON", "good, sitemap index")
BAD = ("missing", "stale", "foreign", "broken", "misdated")

DESCRIPTION = """\
Follow sites of the built-in news web with feeds and sitemaps of several kinds, hourly for some simulated days, and
compare what it takes with what it takes without following feeds.

  recall            the share of the articles published in this time that were archived
  delay             minutes from publication until an article was archived, on average
  finding           bytes per article of all visits except those to articles: home pages, sections, feeds
  all               bytes per article of all visits
"""
NOTES = f"""\
The exit code is 1 if a kind of good feeds leaves more than {GOOD_BAR:.0%} of the bytes for finding an article, if bad
ones add more than {BAD_BAR:.0%} to all bytes, or if recall is lower than without feeds.

  python -m benchmarks.feeds --days 7 --json feeds.json
  python -m benchmarks.feeds --cases good stale
"""


@dataclass(frozen=True, slots=True)
class Outlay:
    """What one crawl took and brought."""

    case: str
    published: int
    archived: int
    wrong: int
    requests: int
    finding: int
    reading: int
    delay: float

    @property
    def recall(self) -> float:
        """The share of the published articles that were archived."""
        return self.archived / max(1, self.published)

    @property
    def finding_each(self) -> float:
        """Bytes for finding an article."""
        return self.finding / max(1, self.archived)

    @property
    def total_each(self) -> float:
        """Bytes per article in all."""
        return (self.finding + self.reading) / max(1, self.archived)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if a bar is missed."""
    options = _options(arguments)
    chosen = [WITHOUT, *(case for case in options.cases or CASES if case != WITHOUT)]
    outlays: list[Outlay] = []
    for case in chosen:
        with tempfile.TemporaryDirectory() as folder:
            outlays.append(measure(Path(folder), case, options.seed, options.sites, options.days))
        say(f"{case}: {outlays[-1].finding_each:,.0f} bytes to find an article, {outlays[-1].total_each:,.0f} in all")
        if options.json:
            # After every case, so that a run that is stopped has not been in vain.
            _write(options, outlays)
    print(_table(outlays))
    failures = missed_bars(outlays)
    print("\n" + ("\n".join(failures) or "all bars are met"))
    print(machine.line(machine.describe(), sum(each.requests for each in outlays), 0))
    return 1 if failures else 0


def _write(options: argparse.Namespace, outlays: Sequence[Outlay]) -> None:
    report = {
        "machine": machine.describe(),
        "days": options.days,
        "sites": options.sites,
        "seed": options.seed,
        "cases": [asdict(each) for each in outlays],
    }
    options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def measure(folder: Path, case: str, seed: int, sites: int, days: float) -> Outlay:
    """Crawl a web with feeds of one kind."""
    web = NewsWeb(seed, sites, CASES[case])
    span = timedelta(days=days).total_seconds() - 1
    assignment = Assignment(tuple(map(web.home, web.sites)), every=HOUR, span=span)
    settings = NewsroomSettings(feeds=case != WITHOUT, pace="fixed")
    progress = simulate(folder, web.fetch, START, assignment, settings=settings, commit_often=False)
    with Store.open(folder) as archive:
        sources = {source.url: source for source in archive.sources()}
        scores = [score(archive, sources[web.home(site)], web, site) for site in web.sites]
        published = {article.url: article.published for article in web.articles(START, START + timedelta(days=days))}
        stored = list(archive.articles())
        articles = {item.key for item in stored}
        visits = archive.visits().to_table(columns=["page", "bytes", "fetched_at"]).to_pylist()
        first: dict[str, datetime] = {}
        for visit in visits:
            first.setdefault(visit["page"], visit["fetched_at"])
        delays = [
            (first[item.key] - published[item.article.url]).total_seconds() / 60
            for item in stored
            if item.article.url in published
        ]
    reading = sum(visit["bytes"] for visit in visits if visit["page"] in articles)
    return Outlay(
        case=case,
        published=sum(each.published for each in scores),
        archived=sum(each.archived for each in scores),
        wrong=sum(each.wrong for each in scores),
        requests=progress.requests,
        finding=sum(visit["bytes"] for visit in visits) - reading,
        reading=reading,
        delay=mean(delays) if delays else 0.0,
    )


def missed_bars(outlays: Sequence[Outlay]) -> list[str]:
    """Return which bars are missed, in words."""
    without = outlays[0]
    missed = []
    for each in outlays[1:]:
        if each.case in GOOD and each.finding_each > GOOD_BAR * without.finding_each:
            missed.append(f"{each.case}: finding an article takes {each.finding_each / without.finding_each:.0%}")
        if each.case in BAD and each.total_each > (1 + BAD_BAR) * without.total_each:
            missed.append(f"{each.case}: all bytes grow by {each.total_each / without.total_each - 1:.1%}")
        if each.recall < without.recall:
            missed.append(f"{each.case}: recall falls from {without.recall:.4f} to {each.recall:.4f}")
    return missed


def _table(outlays: Sequence[Outlay]) -> str:
    without = outlays[0]
    head = ["feeds", "published", "recall", "wrong", "delay min", "requests", "finding B", "ratio", "all B", "ratio"]
    rows = [
        [
            each.case,
            f"{each.published:,}",
            f"{each.recall:.3f}",
            str(each.wrong),
            f"{each.delay:.0f}",
            f"{each.requests:,}",
            f"{each.finding_each:,.0f}",
            f"{each.finding_each / without.finding_each:.3f}",
            f"{each.total_each:,.0f}",
            f"{each.total_each / without.total_each:.3f}",
        ]
        for each in outlays
    ]
    return table.lay_out(head, rows, left=1)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.feeds",
        description=DESCRIPTION,
        epilog=NOTES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--days", type=float, default=4.0, metavar="N", help="simulated days (%(default)s)")
    parser.add_argument("--sites", type=int, default=3, metavar="N", help="sites of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other sites (%(default)s)")
    parser.add_argument("--cases", nargs="+", choices=tuple(CASES), default=(), metavar="CASE", help="only these kinds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every kind here")
    options = parser.parse_args(arguments)
    if options.sites < 1 or not options.days > 0:
        parser.error("--sites must be at least 1, and --days more than 0")
    return options


if __name__ == "__main__":
    sys.exit(main())
