"""`broadsheet export ARCHIVE -o OUT`: write the articles of an archive, or all its WARC records, to one file."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli.command import UsageError
from broadsheet.cli.commands.articles_command import DamageReporter
from broadsheet.cli.console import Console
from broadsheet.cli.selection import add_selection, selection
from broadsheet.cli.writing import add_deprecated_overwrite, add_output_options, format_of
from broadsheet.outputs import formats

FORMATS = (*formats.FORMATS, formats.WARC)

_EXAMPLES = """\
examples:
  broadsheet export news -o news.parquet                   the newest version of every article
  broadsheet export news -o march.jsonl --since 2026-03-01
  broadsheet export news -o news.csv --overwrite           replace an existing file
  broadsheet export news -o news.warc.gz                   everything, as it was sent and received
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the output file and the options that select articles."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    add_output_options(parser, FORMATS, required=True)
    add_deprecated_overwrite(parser)
    add_selection(parser)


def execute(args: Namespace, console: Console) -> int:
    """Write the file, and report how much was written."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, export  # noqa: PLC0415 - only with the extra

    form = format_of(args, FORMATS) or FORMATS[0]
    chosen = selection(args, console.clock.now())
    if form == formats.WARC and chosen:
        raise UsageError("WARC files are exported in full; options that select articles do not apply")
    with Store.open(args.archive) as archive:
        damage = DamageReporter(console)
        number = export.export(
            archive,
            form,
            args.out,
            **chosen.options(),
            overwrite=args.overwrite,
            on_damage=damage,
            raw_cells=args.raw_cells,
        )
    what = "WARC files" if form == "warc" else "articles"
    console.message(f"wrote {number:,} {what} to {args.out}")
    return damage.code
