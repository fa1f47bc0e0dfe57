"""`broadsheet repair ARCHIVE`: rebuild a missing or damaged catalogue from the other files."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.clock import SystemClock
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import settings
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet check news                           see what is wrong
  broadsheet repair news                          fix it; exit code 3 if something could not be recovered
  broadsheet check news                           should now say "clean"

Nothing is deleted. The old catalogue and damaged files are moved to the folder lost+found in the archive, and pages
found there that the archive lacks are restored. Articles whose rows are damaged are extracted again from their pages.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")


def execute(args: Namespace, console: Console) -> int:
    """Repair the archive, and report what was recovered and what was lost."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import repair  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.line import FilterSettings  # noqa: PLC0415
        from broadsheet.newsroom.rereading import NewsroomRereader  # noqa: PLC0415
        from broadsheet.newsroom.supervision import supervised  # noqa: PLC0415

    configured = settings(args)
    filters = FilterSettings(configured.limits, configured.source, configured.newsroom)

    def report(step: str) -> None:
        if console.screen:
            console.message(step)

    with supervised(filters, workers=1) as readers:
        rereader = NewsroomRereader(readers, configured.crawl.max_decompressed_bytes)
        result = repair(args.archive, rereader, SystemClock(), report)
    row = {
        "archive": str(args.archive),
        "visits": result.visits,
        "articles": result.articles,
        "reread": result.reread,
        "rescued_files": result.rescued,
        "lost": result.lost,
    }
    console.rows([row], ("archive", "visits", "articles", "reread", "rescued_files"))
    for line in result.lost:
        console.warning(line)
    return exits.SOME_FAILED if result.lost else exits.DONE
