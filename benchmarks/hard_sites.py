"""The command: `python -m benchmarks.hard_sites [options]`."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean

from benchmarks import machine, table
from benchmarks.progress import Progress, say
from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling.rendering import BrowserMissing, Renderer
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.scripted_pages import LocalRenderer
from broadsheet.newsweb.site_knobs import Knobs
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.archive_score import ArchiveScore, score
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
#: The first seed of those that nothing was developed on.
SEED = 1_000

DESCRIPTION = """\
Crawl sites of the built-in news web that are hard to archive, in virtual time, and compare the archive with the truth:

  scripts, no browser   the lists on fronts are written by scripts, and nothing runs them
  scripts               the same with a browser, which the crawl has to find out that it needs
  rare visits           fronts are visited so rarely that lists are replaced as a whole in between
  split articles        articles are split into pages of three paragraphs
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of site, and how it is crawled."""

    name: str
    knobs: Knobs
    every: timedelta = timedelta(hours=1)
    has_browser: bool = False


CASES = (
    Case("scripts, no browser", Knobs(scripted_fronts=True)),
    Case("scripts", Knobs(scripted_fronts=True), has_browser=True),
    Case("rare visits", Knobs(archive_pages=9, pagination="query"), every=timedelta(hours=24)),
    Case("split articles", Knobs(paragraphs_per_page=3, rel_next=True)),
)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a crawl of all sites of a case archived, and what it cost."""

    case: str
    published: int
    archived: int
    recall: float
    wrong: int
    twice: int
    text: float
    requests: int
    rendered: int

    @classmethod
    def of(cls, case: Case, scores: Sequence[ArchiveScore], requests: int, rendered: int) -> "CaseResult":
        """Add up the scores of all sites."""
        published, archived = sum(each.published for each in scores), sum(each.archived for each in scores)
        return cls(
            case=case.name,
            published=published,
            archived=archived,
            recall=round(archived / max(1, published), 4),
            wrong=sum(each.wrong for each in scores),
            twice=sum(each.twice for each in scores),
            text=round(fmean(each.text for each in scores), 4),
            requests=requests,
            rendered=rendered,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    progress, results = Progress("cases", len(CASES)), []
    for done, case in enumerate(CASES, start=1):
        try:
            results.append(measure(case, options.seed, options.sites, options.days))
        except BrowserMissing as error:
            say(f"{case.name}: {error}")
        progress(done)
    print(_table(results))
    print(machine.line(machine.describe(), sum(result.requests for result in results), 0))
    if options.json:
        rows = [asdict(result) for result in results]
        options.json.write_text(json.dumps({"machine": machine.describe(), "cases": rows}, indent=1) + "\n")
    return 0


def measure(case: Case, seed: int, sites: int, days: float) -> CaseResult:
    """Crawl the sites of a case, and compare the archive with the truth."""
    web = NewsWeb(seed, sites, case.knobs)
    every = case.every.total_seconds()
    assignment = Assignment(tuple(map(web.home, web.sites)), every=every, span=days * 86_400)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        renderer = LocalRenderer(stack.enter_context(Renderer())) if case.has_browser else None
        settings = NewsroomSettings(revisit_after=0, pace="fixed")
        progress = simulate(folder, web.fetch, START, assignment, settings=settings, renderer=renderer)
        archive = stack.enter_context(Store.open(folder))
        sources = {source.url: source for source in archive.sources()}
        scores = [score(archive, sources[web.home(site)], web, site) for site in web.sites]
        return CaseResult.of(case, scores, progress.requests, archive.counters.total("rendered"))


def _table(results: Sequence[CaseResult]) -> str:
    head = ["site", "published", "archived", "recall", "wrong", "twice", "text", "requests", "rendered"]
    rows = [
        [
            result.case,
            f"{result.published:,}",
            f"{result.archived:,}",
            f"{result.recall:.3f}",
            str(result.wrong),
            str(result.twice),
            f"{result.text:.3f}",
            f"{result.requests:,}",
            f"{result.rendered:,}",
        ]
        for result in results
    ]
    return table.lay_out(head, rows, left=1)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.hard_sites",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sites", type=int, default=3, metavar="N", help="sites of each kind (%(default)s)")
    parser.add_argument("--days", type=float, default=2.0, metavar="N", help="days of each crawl (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="which sites (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    options = parser.parse_args(arguments)
    if options.sites < 1 or not options.days > 0:
        parser.error("--sites must be at least 1, and --days more than 0")
    return options


if __name__ == "__main__":
    sys.exit(main())
