"""`broadsheet export ARCHIVE -f FORMAT -o OUT`: an archive's articles, or all its WARC, in one file."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli.command import UsageError
from broadsheet.cli.commands.articles import Damage, add_selection
from broadsheet.cli.console import Console

NAME = "export"
HELP = "write an archive's articles to a file: JSON, CSV, Parquet, Markdown; or all that was fetched as WARC"

FORMATS = ("jsonl", "json", "csv", "parquet", "md", "warc")

_EXAMPLES = """\
examples:
  broadsheet export news -f parquet -o news.parquet        a row an article, its newest version
  broadsheet export news -f jsonl -o march.jsonl --since 2026-03-01
  broadsheet export news -f csv -o news.csv --force        over a file that is there already
  broadsheet export news -f warc -o news.warc.gz           all exchanges, as they went over the wire
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the format, the file and which articles are wanted."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the folder of the archive")
    parser.add_argument("-f", "--format", choices=FORMATS, default="jsonl", help="what to write (%(default)s)")
    parser.add_argument("-o", "--out", metavar="OUT", type=Path, required=True, help="the file to write")
    parser.add_argument("--force", action="store_true", help="replace the file if it is there already")
    parser.add_argument(
        "--raw-cells", action="store_true", help="write CSV without the apostrophe that keeps formulas from running"
    )
    add_selection(parser)


def execute(args: Namespace, console: Console) -> int:
    """Write the file, and say what it holds."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Archive, export  # noqa: PLC0415 - only with the extra

    if args.out.is_file() and not args.force:
        raise UsageError(f"{args.out} is there already; --force replaces it")
    if args.format == "warc" and (args.since or args.source):
        raise UsageError("WARC files are exported whole: --since and --source select articles")
    if args.raw_cells and args.format != "csv":
        raise UsageError("--raw-cells is for CSV: no other format changes what cells hold")
    with Archive.open(args.archive) as archive:
        damage = Damage(console)
        number = export.export(
            archive,
            args.format,
            args.out,
            since=args.since,
            source=args.source,
            force=args.force,
            on_damage=damage,
            raw_cells=args.raw_cells,
        )
    what = "WARC files" if args.format == "warc" else "articles"
    console.message(f"wrote {number:,} {what} to {args.out}")
    return damage.code
