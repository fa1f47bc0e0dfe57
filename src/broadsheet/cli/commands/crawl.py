"""`broadsheet crawl ARCHIVE SITE…`: follow news sites and archive their articles."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import settings
from broadsheet.cli.console import Console
from broadsheet.cli.durations import seconds

_MOST = 1_000_000
_EXAMPLES = """\
examples:
  broadsheet crawl news https://www.example.org/             every hour until Ctrl-C; the same command resumes
  broadsheet crawl news example.org example.net --every 30m  two sites, every half hour
  broadsheet crawl news --for 2d                             all sites of the archive, for two days
  broadsheet crawl news example.org --snapshots 1            one round, now
  broadsheet articles news | jq -r .title                    what was archived

Ctrl-C finishes the pages in flight; a second one stops now. Nothing that was reported is lost either way.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the sites and the goal."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the folder of the archive; created if missing")
    parser.add_argument("sites", metavar="SITE", nargs="*", help="a home page; without any, all sites of the archive")
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--snapshots", type=_count, metavar="N", help="end after N rounds of each site")
    goal.add_argument("--for", dest="span", type=seconds, metavar="SPAN", help="end after this long: 90s, 2h, 3d, 1w")
    parser.add_argument("--every", type=seconds, metavar="SPAN", help="the time between two rounds (1h)")
    parser.add_argument("--contact", help="your mail or web address, which sites see as part of the user agent")


def execute(args: Namespace, console: Console) -> int:
    """Crawl in a process of its own, and show how it goes."""
    with needing("crawl", "crawling"):
        from broadsheet.cli.watching import interruptible, watch  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.assignment import Assignment  # noqa: PLC0415
        from broadsheet.newsroom.crawl import Crawl  # noqa: PLC0415
        from broadsheet.newsroom.job import Job  # noqa: PLC0415
        from broadsheet.newsroom.overlaps import warnings  # noqa: PLC0415

    manners = settings(args).crawl
    if args.contact:
        manners = replace(manners, contact=args.contact)
    assignment = Assignment(tuple(args.sites), args.every, args.snapshots, args.span)
    folder, quotas = str(args.archive.absolute()), settings(args).source
    job = Job(folder, assignment, manners, settings(args).limits, quotas=quotas)
    for warning in warnings(args.archive, assignment):
        console.message(f"warning: {warning}")
    with Crawl(job) as crawl, interruptible(crawl, console) as interruption:
        progress = watch(crawl, console)
    if crawl.set_aside:
        console.message(
            f"{len(crawl.set_aside)} files that no commit names were moved to {args.archive}/lost+found;"
            f" `{console.called} repair {args.archive}` brings back what the archive lacks"
        )
    console.rows([{"archive": str(args.archive), **progress.to_dict()}], _COLUMNS)
    reasons = ", ".join(f"{reason} ({number:,})" for reason, number in progress.failures.items())
    if reasons:
        console.text(f"dropped: {reasons}")
    if interruption.times:
        console.message("interrupted; the same command resumes")
        return exits.INTERRUPTED
    if progress.rounds and not progress.visits:
        console.message(f"no home page could be visited: {reasons}")
        return exits.FAILED
    return exits.DONE


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {_MOST:,}")
    return int(text)


_COLUMNS = ("archive", "rounds", "sections", "articles", "requests", "bytes", "unchanged")
