"""`broadsheet unlock ARCHIVE`: take an archive from a writer that is dead but does not look it."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet unlock news                          who holds the archive; frees it if that process is dead
  broadsheet unlock news --writer-is-dead         frees it although the other machine was heard of lately

A writer on this machine is looked up: one that runs is never unlocked. One on another machine, or in another container,
counts as alive for five minutes after its last sign of life, and longer if its clock runs ahead of this one.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the folder of the archive")
    parser.add_argument(
        "--writer-is-dead", action="store_true", help="confirm that the writer on the other machine is dead"
    )
    # As earlier versions called it.
    parser.add_argument("--force", dest="writer_is_dead", action="store_true", help=SUPPRESS)


def execute(args: Namespace, console: Console) -> int:
    """Free the archive, or refuse and say why."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Archive  # noqa: PLC0415 - only with the extra

    with Archive.open(args.archive) as archive:
        holder = archive.unlock(force=args.writer_is_dead)
    if holder is None:
        console.message(f"{args.archive}: nobody holds it")
    else:
        console.message(f"{args.archive}: freed; it was held by {holder}")
    return exits.DONE
