"""`broadsheet demo [ARCHIVE]`: the main job on the built-in news web, from a home page to archived articles."""

import shlex
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console

if TYPE_CHECKING:
    from broadsheet.newsroom.progress import Progress
    from broadsheet.newsroom.scoring import Score

FOLDER = Path("broadsheet-demo")
#: An hour and a half of news every second: three days pass in less than a minute.
SPEED = 5400.0

_EXAMPLES = """\
examples:
  broadsheet demo                       three days of a small news site, into broadsheet-demo
  broadsheet demo                       once more: three more days of it
  broadsheet demo other --sites 3       three sites of other languages and templates, into another folder
  broadsheet demo | jq .recall          JSON lines when piped
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the folder, and how much news there is."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "archive", metavar="ARCHIVE", type=Path, nargs="?", default=FOLDER, help=f"the folder of the archive ({FOLDER})"
    )
    parser.add_argument(
        "--days", type=_positive, default=3.0, metavar="D", help="simulated days to follow the site (3)"
    )
    parser.add_argument("--sites", type=int, choices=range(1, 11), metavar="N", help="how many sites (1)")
    parser.add_argument("--seed", type=int, metavar="S", help="another number gives other news (1)")
    parser.add_argument(
        "--speed", type=_positive, default=SPEED, metavar="K", help=f"let time run K times as fast ({SPEED:g})"
    )


def execute(args: Namespace, console: Console) -> int:
    """Serve the site, crawl it, and say what came of it."""
    with needing("crawl", "the demo"):
        from broadsheet.cli.watching import interruptible, watch  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.demonstration import Demonstration  # noqa: PLC0415

    demonstration = Demonstration(args.archive, args.seed, args.sites, args.days, args.speed)
    console.message(
        f"{'going on with' if demonstration.resumes else 'serving'} a news web on this machine; "
        f"its {args.days * 24:g} hours pass in about {args.days * 86_400 / args.speed:.0f} seconds"
    )
    with demonstration.crawl() as crawl, interruptible(crawl, console) as interruption:
        progress = watch(crawl, console)
    scores = demonstration.scores()
    if console.is_terminal:
        _show(scores, progress, args.archive, console)
    else:
        console.rows({**score.to_dict(), "run": progress.to_dict()} for score in scores)
    if interruption.times:
        console.message("interrupted; the same command resumes")
        return exits.INTERRUPTED
    return exits.DONE


def _show(scores: "list[Score]", progress: "Progress", folder: Path, console: Console) -> None:
    for score in scores:
        console.text()
        console.text(score.source)
        for name, text in _lines(score):
            console.text(f"  {name:<12}{text}")
    console.text()
    console.text(
        f"This run: {progress.rounds:,} rounds, {progress.requests:,} requests "
        f"({progress.unchanged:,} pages unchanged), {progress.bytes / 1e6:,.1f} MB received"
    )
    console.text(f"Kept in {folder}: catalogue.sqlite, warc/ (as received), visits/ and occurrences/ (Parquet)")
    console.text()
    for line in advice(console.called, folder):
        console.text(line)


def _lines(score: "Score") -> Iterator[tuple[str, str]]:
    yield "sections", f"{score.sections_found} of {score.sections} found and followed"
    yield "articles", f"{score.archived} of the {score.published} published meanwhile archived ({score.recall:.1%})"
    yield "", f"{score.older} older ones that were still linked; {score.wrong} pages that are none, {score.twice} twice"
    stored = score.archived + score.older
    yield "read", f"{score.titles} of {stored} titles as they were written; texts right to {score.text:.1%} (word F1)"


def advice(called: str, folder: Path) -> Iterator[str]:
    """Give the lines that say what to try next, in the words that call the program."""
    archive = shlex.quote(str(folder))
    steps = [
        (f"{called} status {archive}", "what the archive holds, by source"),
        (f"{called} sections {archive}", "the sections it follows, and why"),
        (f"{called} articles {archive}", "the newest articles"),
        (f"{called} export {archive} -f jsonl -o articles.jsonl", "all of them, for other programs"),
        (f"{called} check {archive}", "whether every byte is as it was received"),
        (f"{called} demo {archive}", "three more days"),
        (f"{called} crawl news https://…", "the same for a real site of yours"),
    ]
    longest = max(len(command) for command, _ in steps)
    yield "What to type next:"
    for command, purpose in steps:
        yield f"  {command:<{longest}}  {purpose}"


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
