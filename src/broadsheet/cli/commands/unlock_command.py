"""`broadsheet unlock ARCHIVE`: release the lock of a writer that died without releasing it."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet unlock news                          release the archive if the process that holds it is dead
  broadsheet unlock news --writer-is-dead         release it although the other machine was active recently

A writer that is running on this machine is never unlocked. A writer on another machine or in another container counts
as alive until five minutes after its last heartbeat, or longer if its clock is ahead of this one.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument(
        "--writer-is-dead", action="store_true", help="confirm that the writer on the other machine is dead"
    )
    # The former name of --writer-is-dead.
    parser.add_argument("--force", dest="writer_is_dead", action="store_true", help=SUPPRESS)


def execute(args: Namespace, console: Console) -> int:
    """Release the lock; `Store.unlock` raises an error if the writer may be alive."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        holder = archive.unlock(force=args.writer_is_dead)
    if holder is None:
        console.message(f"{args.archive}: not locked")
    else:
        console.message(f"{args.archive}: unlocked; the writer was {holder}")
    return exits.DONE
