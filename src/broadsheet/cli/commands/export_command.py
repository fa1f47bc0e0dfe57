"""`broadsheet export ARCHIVE -o OUT`: write articles, pages or WARC records of an archive to a file or folder."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.base.records import KINDS
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.commands.articles_command import DamageReporter
from broadsheet.cli.console import Console
from broadsheet.cli.selection import add_selection, selection
from broadsheet.cli.writing import add_deprecated_overwrite, add_output_options, format_of
from broadsheet.outputs import formats

if TYPE_CHECKING:
    from broadsheet.cli.selection import ArticleSelection

FORMATS = (*formats.FORMATS, *formats.FEEDS, formats.WARC)

_EXAMPLES = """\
examples:
  broadsheet export news -o news.parquet                   the newest version of every article
  broadsheet export news -o march.jsonl --since 2026-03-01
  broadsheet export news -o news.csv --overwrite           replace an existing file
  broadsheet export news -f atom -o feed.xml --limit 20    a feed of the twenty newest articles
  broadsheet export news -o news.warc.gz                   everything, as it was sent and received
  broadsheet export news -o part.warc.gz --source news.example --since 7d --kind article
  broadsheet export news -o sections --kind section --raw  the pages themselves, in a folder with an index
  broadsheet export news -o articles.zip --kind article --raw

For articles, --since and --until compare the date of publication; for a WARC file and with --raw, when a page was
fetched. A WARC file has complete exchanges, with the redirects that led to a page and the answers that revisits refer
to. --raw writes the newest content of each page under a number, and index.jsonl with its url, kind, probability,
fetched_at, content_type and charset.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the output file and the options that select articles."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    add_output_options(parser, FORMATS, required=True)
    add_deprecated_overwrite(parser)
    add_selection(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N articles, the newest; 50 in a feed")
    parser.add_argument(
        "--kind", choices=KINDS, help="pages of this kind, in a WARC file or with --raw; other formats hold articles"
    )
    parser.add_argument(
        "--raw", action="store_true", help="write pages as they were received, to a new folder or a .zip file"
    )


def execute(args: Namespace, console: Console) -> int:
    """Write the file, and report how much was written."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, export  # noqa: PLC0415 - only with the extra

    chosen = selection(args, console.clock.now())
    if args.raw:
        return _write_raw(args, chosen, console)
    form = format_of(args, FORMATS) or FORMATS[0]
    if form == formats.WARC and (chosen.is_of_text or args.limit):
        raise UsageError("a WARC file can be limited only by --since, --until, --day, --source and --kind")
    if form != formats.WARC and args.kind not in {None, "article"}:
        raise UsageError(f"{form} holds articles: --kind {args.kind} needs a WARC file or --raw")
    with Store.open(args.archive) as archive:
        damage = DamageReporter(console)
        number = export.export(
            archive,
            form,
            args.out,
            **chosen.options(),
            kind=args.kind,
            limit=args.limit,
            overwrite=args.overwrite,
            on_damage=damage,
            raw_cells=args.raw_cells,
        )
    what = "articles"
    if form == formats.WARC:
        what = "WARC files" if not (chosen or args.kind) else "WARC files in part"
    console.message(f"wrote {number:,} {what} to {args.out}")
    return damage.code


def _write_raw(args: Namespace, chosen: "ArticleSelection", console: Console) -> int:
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra
        from broadsheet.newsroom.raw_pages import write_raw  # noqa: PLC0415

    if args.format or args.limit or chosen.is_of_text or args.raw_cells or args.overwrite:
        raise UsageError("--raw takes only -o, --kind, --source, --since and --until, and replaces nothing")
    damage = DamageReporter(console)
    with Store.open(args.archive) as archive:
        number = write_raw(
            archive,
            args.out,
            kind=args.kind,
            source=chosen.source,
            since=chosen.since,
            until=chosen.until,
            max_decompressed_bytes=settings(args).crawl.max_decompressed_bytes,
            on_damage=damage,
        )
    console.message(f"wrote {number:,} pages to {args.out}")
    return damage.code
