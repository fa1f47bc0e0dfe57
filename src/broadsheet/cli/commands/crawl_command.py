"""`broadsheet crawl ARCHIVE SITE…`: follow news sites and archive their articles."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.errors import BroadsheetError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.crawl_report import failing_rows, failure_columns, show
from broadsheet.cli.durations import seconds
from broadsheet.cli.logs import add_log_options, crawl_log
from broadsheet.cli.sizes import byte_size

if TYPE_CHECKING:
    from broadsheet.newsroom.crawl_job import CrawlJob
    from broadsheet.newsroom.progress import Progress

_MAX_SNAPSHOTS = 1_000_000
_EXAMPLES = """\
examples:
  broadsheet crawl news https://www.example.org/             every hour until Ctrl-C; run it again to resume
  broadsheet crawl news example.org example.net --every 30m  two sites, every half hour
  broadsheet crawl news --for 2d                             all sites in the archive, for two days
  broadsheet crawl news example.org --snapshots 1            one snapshot, right now
  broadsheet crawl news --sources sources.toml               the sites that a file lists
  broadsheet crawl news --set newsroom.pace=fixed            visit every section as often as the home page
  broadsheet crawl news --stop                               stop the crawl that runs, from another terminal
  broadsheet articles news | jq -r .title                    what has been archived

Ctrl-C finishes the pages in flight and stops; a second Ctrl-C stops at once. Either way, nothing that was reported as
archived is lost.

exit codes:
  0    every home page was fetched at its last visit
  1    no home page could be fetched at all; a new archive is removed again
  3    some home pages could not be fetched at their last visit; each is listed with the reason
  130  interrupted; run the same command again to resume
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the sites and when to stop."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "archive", metavar="ARCHIVE", type=Path, help="the archive's folder; created if it does not exist"
    )
    parser.add_argument(
        "sites",
        metavar="SITE",
        nargs="*",
        default=[],
        help="the home page of a site (default: all sites in the archive)",
    )
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--snapshots", type=_count, metavar="N", help="stop after N snapshots of each site")
    goal.add_argument("--for", dest="span", type=seconds, metavar="SPAN", help="stop after this long: 90s, 2h, 3d, 1w")
    parser.add_argument("--every", type=seconds, metavar="SPAN", help="time between snapshots (default: 1h)")
    parser.add_argument("--contact", help="your email or web address, shown to sites in the user agent")
    parser.add_argument(
        "--sources",
        metavar="FILE",
        type=Path,
        help="first apply a TOML or OPML file of sources, as `sources apply` does",
    )
    parser.add_argument(
        "--keep",
        metavar="RULE",
        help="remove what was fetched longer ago than the rule says; for sites without a rule of their own: "
        '"fronts 30d, other 7d, links 1y"',
    )
    parser.add_argument(
        "--max-size",
        type=byte_size,
        metavar="SIZE",
        help="remove the oldest responses, but none of articles, if the archive gets larger than this (20G)",
    )
    parser.add_argument("--stop", action="store_true", help="stop the crawl that runs on the archive, and start none")
    add_log_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Crawl in a separate process, and show its progress; or stop one."""
    if args.stop:
        return _stop(args, console)
    with needing("crawl", "crawling"):
        from broadsheet.cli.reloading import reloadable  # noqa: PLC0415 - only with the extra
        from broadsheet.cli.watching import interruptible, watch  # noqa: PLC0415
        from broadsheet.newsroom.crawl import Crawl  # noqa: PLC0415
        from broadsheet.newsroom.webhook import WebhookThread  # noqa: PLC0415

    job = _job(args, console)
    with reloadable(console) as reloading:
        while True:
            hook = WebhookThread(args.archive, settings(args).webhook, console.warning)
            with hook, Crawl(job) as crawl, interruptible(crawl, console) as handler, reloading.watching(crawl):
                progress = watch(crawl, console)
            if handler.times or not reloading.take():
                break
            job = _reread(args, console) or job
    if crawl.set_aside:
        console.warning(
            f"{len(crawl.set_aside)} files that belong to no commit were moved to {args.archive}/lost+found;"
            f" `{console.called} repair {args.archive}` restores what the archive lacks"
        )
    _report(args.archive, progress, console)
    if handler.times:
        console.warning("interrupted; run the same command again to resume")
        return exits.INTERRUPTED
    if not progress.failing:
        return exits.DONE
    return exits.SOME_FAILED if progress.visits else exits.FAILED


def _job(args: Namespace, console: Console) -> "CrawlJob":
    """Return what to do, as the arguments, the configuration and the file of sources say, which is applied."""
    from broadsheet.newsroom.assignment import Assignment  # noqa: PLC0415 - only with the extra
    from broadsheet.newsroom.crawl_job import CrawlJob  # noqa: PLC0415

    configured = settings(args)
    manners = replace(configured.crawl, contact=args.contact) if args.contact else configured.crawl
    newsroom = replace(
        configured.newsroom,
        keep=configured.newsroom.keep if args.keep is None else args.keep,
        max_size=args.max_size or configured.newsroom.max_size,
    )
    assignment = Assignment(tuple(args.sites), args.every, args.snapshots, args.span)
    if args.sources is not None:
        _apply_sources(args, console)
    return CrawlJob(
        str(args.archive.absolute()),
        assignment,
        manners,
        configured.limits,
        quotas=configured.source,
        settings=newsroom,
        log=crawl_log(args),
    )


def _reread(args: Namespace, console: Console) -> "CrawlJob | None":
    """Return the job with the configuration and the sources as they are now; None if something is wrong with them."""
    before = args.configuration
    try:
        args.configuration = args.read_configuration()
        return _job(args, console)
    except BroadsheetError as error:
        args.configuration = before
        console.warning(f"{error}; the crawl continues as before")
        return None


def _apply_sources(args: Namespace, console: Console) -> None:
    """Bring the sources of the archive in line with the given file, and say what was changed."""
    from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra
    from broadsheet.newsroom.source_files import read_sources  # noqa: PLC0415
    from broadsheet.newsroom.source_lists import apply_list  # noqa: PLC0415

    entries = read_sources(args.sources)
    with Store.open(args.archive, create=True) as archive:
        applied = apply_list(archive, entries)
    for outcome in applied.outcomes:
        (console.message if outcome.order.error is None else console.warning)(str(outcome))


def _stop(args: Namespace, console: Console) -> int:
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.source_orders import is_running, stop  # noqa: PLC0415

    if args.sites or args.snapshots or args.span or args.every or args.sources:
        raise UsageError("--stop takes the archive alone")
    with Store.open(args.archive) as archive:
        outcome = stop(archive)
        if outcome is None:
            console.message(f"no crawl runs on {args.archive}")
            return exits.DONE
        if outcome.order.result is None:
            console.warning(f"{outcome}; it may not be a crawl")
            return exits.FAILED
        ending = "finishes the pages in flight" if is_running(archive, outcome) else "has stopped"
    console.message(f"the crawl of {args.archive} {ending}; run it again to resume")
    return exits.DONE


def _report(archive: Path, progress: "Progress", console: Console) -> None:
    """Write the results of the crawl, the failures by reason, and a warning for each failing source."""
    examples = progress.examples.values()
    row = {
        "archive": str(archive),
        **progress.to_dict(),
        **failure_columns(progress.failures, progress.skips, examples),
        "failing": failing_rows(progress.failing),
    }
    console.rows([row], _COLUMNS)
    show(console, progress.failures, progress.skips, examples)
    for incident in progress.failing.values():
        console.warning(incident.line())


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MAX_SNAPSHOTS:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {_MAX_SNAPSHOTS:,}")
    return int(text)


_COLUMNS = ("archive", "snapshots", "sections", "articles", "requests", "bytes", "unchanged", "failed", "skipped")
