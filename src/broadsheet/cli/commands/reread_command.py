"""`broadsheet reread ARCHIVE`: read archived pages again with the models of this version."""

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.clock import SystemClock
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import settings
from broadsheet.cli.console import Console
from broadsheet.cli.date_options import when

if TYPE_CHECKING:
    from broadsheet.archive import RereadRecord, RereadSelection, Store
    from broadsheet.base.config import Settings
    from broadsheet.newsroom.archive_reread import RereadSummary

_EXAMPLES = """\
examples:
  broadsheet reread news                                    all pages, on all cores; the same command resumes
  broadsheet reread news --source news.example --since 30d
  broadsheet reread news --reader coreex                    with another reader
  broadsheet reread news --only-model page-7                only what this model has judged or read

Every page is judged and read again as it was last fetched; nothing is fetched. Earlier results are kept: a text that
differs becomes a new version, which `article` shows as reread (it is not a revision by the publisher), and a verdict
that differs replaces the old one, which is kept as an earlier verdict. An article stays in the archive even if it is no
longer judged to be one.

A run that is stopped or killed continues where it stopped. Stop a running crawl first.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and the options that select pages."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("--since", type=when, metavar="WHEN", help="only pages last fetched at or after this time")
    parser.add_argument("--source", metavar="S", help="only pages of this source, given by its address or key")
    parser.add_argument("--reader", metavar="NAME", help="the reader to use, instead of newsroom.reader")
    parser.add_argument("--only-model", metavar="MODEL", help="only pages that this model has judged or read")
    parser.add_argument("--again", action="store_true", help="start over, even if this was done with the same models")


def execute(args: Namespace, console: Console) -> int:
    """Read the pages again, and report what changed."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import RereadRecord, RereadSelection, Store  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.archive_reread import RereadSummary, run_name  # noqa: PLC0415

    now = SystemClock().now()
    configured = settings(args)
    reader = args.reader or configured.newsroom.reader
    with Store.open(args.archive) as archive:
        source = archive.find_source(args.source).key if args.source else None
        name = run_name(reader, str(args.since), source or "", args.only_model or "")
        known = None if args.again else archive.reread(name)
        if known is not None and known.finished_at is not None:
            console.message(f"already done on {known.finished_at:%Y-%m-%d} with the same models; --again repeats it")
            return _report(args, console, RereadSummary(**known.done))
        if known is not None:
            console.message(f"resuming the run of {known.began_at:%Y-%m-%d %H:%M} UTC")
        since = args.since.start(now) if args.since else None
        selection = RereadSelection(since=since, source=source, model=args.only_model)
        record = known or RereadRecord(name=name, began_at=now)
        chosen = replace(configured, newsroom=replace(configured.newsroom, reader=reader))
        return _report(args, console, _run(archive, record, selection, chosen, console))


def _run(
    archive: "Store", record: "RereadRecord", selection: "RereadSelection", configured: "Settings", console: Console
) -> "RereadSummary":
    from broadsheet.newsroom.archive_reread import ArchiveReread  # noqa: PLC0415 - only with the extra
    from broadsheet.newsroom.line import FilterSettings  # noqa: PLC0415
    from broadsheet.newsroom.supervision import filter_pool  # noqa: PLC0415

    filters = FilterSettings(configured.limits, configured.source, configured.newsroom)
    with archive.writer() as writer:
        run = ArchiveReread(
            archive,
            writer,
            filter_pool(filters),
            record=record,
            selection=selection,
            max_decompressed_bytes=configured.crawl.max_decompressed_bytes,
            clock=SystemClock(),
        )
        with console.meter(run.left) as meter:
            before = run.summary.pages

            def report(summary: "RereadSummary") -> None:
                meter.reach(summary.pages - before)
                meter.count(summary.pages - before, sum(summary.failed.values()))

            return run.run(report)


def _report(args: Namespace, console: Console, summary: "RereadSummary") -> int:
    row = {
        "archive": str(args.archive),
        "pages": summary.pages,
        "texts_changed": summary.texts,
        "new_articles": summary.articles,
        "kinds_changed": summary.kinds,
        "failed": sum(summary.failed.values()),
        "failures": summary.failed,
        "examples": summary.examples,
    }
    console.rows([row], ("archive", "pages", "texts_changed", "new_articles", "kinds_changed", "failed"))
    if console.is_terminal and summary.examples:
        console.text()
        console.rows(summary.examples, ("url", "change"))
    return exits.SOME_FAILED if summary.failed else exits.DONE
