"""`broadsheet demo [ARCHIVE]`: crawl a simulated news web and compare the archive with what was published."""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import quantity, seed
from broadsheet.cli.console import Console
from broadsheet.cli.logs import add_log_options, crawl_log

if TYPE_CHECKING:
    from broadsheet.newsroom.progress import Progress
    from broadsheet.simulation.demonstration import DemoResult

FOLDER = Path("broadsheet-demo")
#: An hour and a half of news every second: three days pass in less than a minute.
SPEED = 5400.0

_EXAMPLES = """\
examples:
  broadsheet demo                       three days of a small news site, archived in broadsheet-demo
  broadsheet demo                       run again: the days after
  broadsheet demo other --sites 3       three sites in several languages, archived in the folder other
  broadsheet demo | jq .recall,.saved   JSON lines when piped
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the folder, and how much news to simulate."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "archive",
        metavar="ARCHIVE",
        type=Path,
        nargs="?",
        default=FOLDER,
        help=f"the folder to archive into (default: {FOLDER})",
    )
    parser.add_argument(
        "--days",
        type=quantity,
        metavar="D",
        help="how many simulated days to follow the sites (default: 3; on a busy machine or with several sites fewer, "
        "down to 1, so that it takes little more than a minute)",
    )
    parser.add_argument("--sites", type=int, choices=range(1, 11), metavar="N", help="how many sites (default: 1)")
    parser.add_argument("--seed", type=seed, metavar="S", help="another seed gives different news (default: 1)")
    parser.add_argument(
        "--speed",
        type=quantity,
        default=SPEED,
        metavar="K",
        help=f"how many times faster than real time at most, slower for several sites and on a busy machine "
        f"(default: {SPEED:g})",
    )
    add_log_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Serve the news web, crawl it, and report how complete the archive is."""
    with needing("crawl", "the demo"):
        from broadsheet.cli.watching import interruptible, watch  # noqa: PLC0415 - only with the extra
        from broadsheet.simulation.demonstration import Demonstration  # noqa: PLC0415

    demonstration = Demonstration(args.archive, args.seed, args.sites, args.days, args.speed)
    console.message(
        f"{'resuming' if demonstration.resumes else 'serving'} a simulated news web on this machine; "
        f"{demonstration.days * 24:g} hours of news take about {demonstration.seconds:.0f} seconds"
    )
    with demonstration.crawl(crawl_log(args)) as crawl, interruptible(crawl, console) as handler:
        progress = watch(crawl, console)
    results = demonstration.results()
    if console.is_terminal:
        show(results, progress, args.archive, console)
    else:
        console.rows({**result.to_dict(), "run": progress.to_dict()} for result in results)
    if handler.times:
        console.warning("interrupted; run the same command again to resume")
        return exits.INTERRUPTED
    return exits.DONE


def show(results: "Sequence[DemoResult]", progress: "Progress", folder: Path, console: Console) -> None:
    """Write for each site what was found, archived and saved, then the work of this run, and what to type next."""
    for result in results:
        console.text()
        console.heading(result.score.source)
        for name, text in _lines(result):
            console.text(f"  {name:<12}{text}")
        console.text()
        console.rows(result.rows)
    console.text()
    console.text(
        f"This run: {progress.snapshots:,} snapshots, {progress.requests:,} requests "
        f"({progress.unchanged:,} pages unchanged), {progress.bytes / 1e6:,.1f} MB received"
    )
    console.text(f"Saved in {folder}: catalogue.sqlite, warc/ (as received), visits/ and occurrences/ (Parquet)")
    console.text()
    title, *steps = advice(console.called, folder)
    console.heading(title)
    for line in steps:
        console.text(line)


def _lines(result: "DemoResult") -> Iterator[tuple[str, str]]:
    score, saved = result.score, result.savings
    if saved.switch_hour is None:
        yield "phase", "exploration: it is not certain yet what its sections are"
    else:
        yield (
            "phase",
            f"exploitation since hour {saved.switch_hour:g} (snapshot {saved.switch_snapshot}): the sections are known",
        )
    yield "sections", f"{score.sections_found} of {score.sections} found and followed"
    yield "articles", f"{score.archived} of {score.published} published during the crawl archived ({score.recall:.1%})"
    yield (
        "",
        f"{score.older} older articles archived too; {score.wrong} pages archived by mistake, {score.twice} twice",
    )
    stored = score.archived + score.older
    yield "extraction", f"{score.titles} of {stored} titles exactly right; mean word F1 of the texts {score.text:.1%}"
    less = f"{saved.saved:.0%} of the visits and {saved.saved_bytes:.0%} of the bytes"
    yield "saved", f"{less} that visiting everything every hour takes"
    needed = f"{saved.front_visits:,} visits and {saved.front_bytes / 1e6:,.1f} MB"
    hourly = f"{saved.hourly_visits:,} and {saved.hourly_bytes / 1e6:,.1f} MB"
    yield "", f"{needed} to look for news on {saved.fronts} fronts, not {hourly}"
    yield "", "(hourly visits are counted in full, as if no page were ever unchanged and answered with 304)"
    yield "pictures", f"{result.picture} and {result.section_map.name}"


def advice(called: str, folder: Path) -> Iterator[str]:
    """Yield suggestions of what to try next, as commands that can be copied."""
    archive = shlex.quote(str(folder))
    steps = [
        (f"{called} status {archive}", "summarise the archive, by source"),
        (f"{called} sections {archive}", "list its sections, how often each is visited, and what set that"),
        (f"{called} events {archive} --kind phase", "when and why it changed from exploration to exploitation"),
        (f"{called} articles {archive}", "list the newest articles"),
        (f"{called} export {archive} -f jsonl -o articles.jsonl", "export all of them for other programs"),
        (f"{called} check {archive}", "verify that every byte is as received"),
        (f"{called} demo {archive}", "follow the site for some more days"),
        (f"{called} crawl news https://…", "do the same for a real site"),
    ]
    longest = max(len(command) for command, _ in steps)
    yield "What to type next:"
    for command, purpose in steps:
        yield f"  {command:<{longest}}  {purpose}"
