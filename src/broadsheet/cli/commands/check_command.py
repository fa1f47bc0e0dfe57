"""`broadsheet check ARCHIVE`: verify that everything in an archive is present and intact."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet check news                           prints "clean", or one row per problem (exit code 1)
  broadsheet check news | jq -r .what
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")


def execute(args: Namespace, console: Console) -> int:
    """Write one row per problem; leftovers of a killed writer are shown, but do not count as problems."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        problems = list(archive.check())
    if problems:
        console.rows(
            {"where": problem.where, "what": problem.what, "harmless": problem.harmless} for problem in problems
        )
    harmful = sum(not problem.harmless for problem in problems)
    if harmful:
        console.warning(f"{args.archive}: {harmful:,} {'problem' if harmful == 1 else 'problems'}")
    else:
        console.message(f"{args.archive}: clean")
    return exits.FAILED if harmful else exits.DONE
