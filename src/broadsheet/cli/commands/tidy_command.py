"""`broadsheet tidy ARCHIVE`: remove what is older than the keep rules say."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.base.keep_rules import RESPONSE_KINDS, KeepRule
from broadsheet.cli import exits
from broadsheet.cli.command import settings
from broadsheet.cli.console import Console
from broadsheet.cli.sizes import byte_size
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import Pruning, PruningKey, SizePressure, Store

_EXAMPLES = """\
examples:
  broadsheet tidy news --keep "fronts 30d, other 7d" --dry-run    what would be removed, by source and kind
  broadsheet tidy news --keep "fronts 30d, other 7d"
  broadsheet tidy news                                            by the rules that are set for its sources
  broadsheet sources set news example.org keep="fronts 7d, links 1y"

A rule names kinds and ages (12h, 30d, 2w, 6m for months, 2y), separated by commas:
  fronts    responses of home pages, sections and feeds
  other     responses of pages that are neither articles nor sections
  articles  responses of articles from which no version was read; without this word, all of them stay
  links     the links that were found on pages
  events    the log of what happened, except deletions, moves and returns of articles
  visits    rows of visits whose responses and links have both been removed
  everything   remove nothing

The text and all versions of articles, the pages they were read from, the newest response of every page and its links
always stay, and so do all counts. For a source with a rule of its own, only that rule counts; for all others --keep, or
else the setting newsroom.keep. With --max-size, or the setting newsroom.max_size, the oldest responses of fronts and
other pages are removed as well until the archive is small enough, except from sources with keep=everything. A crawl
applies the rules while it runs; stop it before you use this command.
"""
#: What is only mentioned if there is any.
_ROWS = {"events": "events", "visits": "rows of visits"}
_COLUMNS = ("source", "kind", "number", "bytes", "before")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the rule and the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("--keep", metavar="RULE", help="the rule for sources without one of their own")
    parser.add_argument("--max-size", type=byte_size, metavar="SIZE", help="the size that the archive may have (20G)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be removed")


def execute(args: Namespace, console: Console) -> int:
    """Remove it, or say what would be removed; one row per source and kind."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    configured = settings(args).newsroom
    rule = KeepRule.parse(configured.keep if args.keep is None else args.keep)
    max_bytes = args.max_size or configured.max_size
    with Store.open(args.archive) as archive:
        if not rule and not max_bytes and not any(source.settings.keep for source in archive.sources()):
            console.message("no rule lets anything be removed; give --keep or --max-size, or set keep for a source")
        if args.dry_run:
            plan = archive.plan_tidying(rule, console.clock.now(), max_bytes)
            console.rows(_rows(plan.removed), _COLUMNS)
            console.message(f"would remove {_summary(plan.removed)} from {len(plan.files):,} files; nothing changed")
            _warn(plan.pressure, console)
            return exits.DONE
        return _tidy(archive, rule, max_bytes, console)


def _warn(pressure: "SizePressure", console: Console) -> None:
    if pressure.stuck:
        console.warning(
            f"the archive is still about {pressure.stuck:,} bytes too large: all that is left are articles, the newest "
            "response of each page, links, the catalogue, and sources that keep everything"
        )


def _tidy(archive: "Store", rule: KeepRule, max_bytes: int, console: Console) -> int:
    with archive.writer(clock=console.clock) as writer:
        done = writer.tidy(rule, console.track, max_bytes)
    console.rows(_rows(done.removed), _COLUMNS)
    console.message(
        f"removed {_summary(done.removed)} from {done.files:,} files; the archive is {done.bytes:,} bytes smaller"
    )
    _warn(done.pressure, console)
    for name in done.damaged:
        console.warning(f"{name} is damaged and was not rewritten: run `{console.called} repair`, then `tidy` again")
    return exits.SOME_FAILED if done.damaged else exits.DONE


def _rows(removed: Mapping["PruningKey", "Pruning"]) -> Iterator[Row]:
    for (source, kind), pruning in sorted(removed.items()):
        yield {
            "source": source,
            "kind": kind,
            "number": pruning.number,
            "bytes": pruning.bytes,
            "before": pruning.before.isoformat(timespec="seconds"),
        }


def _summary(removed: Mapping["PruningKey", "Pruning"]) -> str:
    numbers = Counter[str]()
    for (_, kind), pruning in removed.items():
        numbers["responses" if kind in RESPONSE_KINDS else kind] += pruning.number
    more = "".join(f", {numbers[kind]:,} {name}" for kind, name in _ROWS.items() if numbers[kind])
    return f"{numbers['responses']:,} responses and {numbers['links']:,} links{more}"
