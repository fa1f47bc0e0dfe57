"""`broadsheet sections ARCHIVE`: list the sections that an archive follows for links to articles."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import ScheduledPage

_EXAMPLES = """\
examples:
  broadsheet sections news                        all sections, and how often each is visited
  broadsheet sections news --source example.org   the sections of one source
  broadsheet sections news | jq -r .url           JSON lines when piped
"""
_COLUMNS = ("source", "subtype", "url", "probability", "every")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and the source."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("--source", metavar="S", help="only from this source, given by its address or key")


def execute(args: Namespace, console: Console) -> int:
    """Write one row per section."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        console.rows(map(_row, archive.sections(args.source)), _COLUMNS)
    return exits.DONE


def _row(section: "ScheduledPage") -> Row:
    entry, page = section.entry, section.page
    verdict = page.verdict
    return {
        "source": entry.source,
        "key": page.key,
        "url": page.url,
        "kind": page.kind,
        "subtype": verdict and verdict.subtype,
        "probability": verdict and verdict.probability,
        "reasons": list(verdict.reasons) if verdict else [],
        "model": verdict and verdict.model,
        "state": page.state.value,
        "every": entry.every,
        "due": entry.due.isoformat(),
        "fetched_at": page.fetch.fetched_at and page.fetch.fetched_at.isoformat(timespec="seconds"),
        "first_seen": page.first_seen and page.first_seen.isoformat(),
    }
