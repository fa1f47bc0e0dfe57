"""`broadsheet profile PAGE…`: learn the template of a site from some of its pages, to read the others better."""

from argparse import ArgumentParser, Namespace
from functools import partial

from broadsheet.cli.console import Console
from broadsheet.cli.date_options import when
from broadsheet.cli.documents import add_page_options, add_pages, documents
from broadsheet.cli.writing import add_file_options, require_free
from broadsheet.outputs.output_files import replacing
from broadsheet.reading import readers
from broadsheet.reading.profiles import save
from broadsheet.reading.profiles.induction import build_profile, observe_page

_EXAMPLES = """\
examples:
  broadsheet profile saved/                       describe what the pages of a site have in common
  broadsheet profile saved/ -o courier.json       save it, for `broadsheet extract --profile`
  broadsheet profile a.html b.html c.html --since 2026-03-01 -o courier.json
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the pages and the profile to write."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    add_file_options(parser, "FILE", "write the profile to this file, as JSON")
    parser.add_argument(
        "--reader",
        default=readers.DEFAULT,
        metavar="NAME",
        help="the extraction algorithm to use (default: %(default)s)",
    )
    parser.add_argument(
        "--since", type=when, metavar="WHEN", help="the first day the profile is valid for (default: today)"
    )
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Analyse every page, and write the profile."""
    readers.find(args.reader)
    if args.out:
        require_free(args.out, overwrite=args.overwrite)
    with documents(args, console, partial(observe_page, reader=args.reader)) as (batch, results):
        now = console.clock.now()
        day = (args.since.start(now) if args.since else now).date()
        profile = build_profile((observation for _, observation in results), day=day, reader=args.reader)
    if args.out:
        with replacing(args.out) as path:
            save(profile, path)
        console.message(f"wrote a profile of {profile.pages} pages to {args.out}")
    elif console.is_terminal:
        for line in profile.describe().splitlines():
            console.text(line)
    else:
        console.rows([profile.to_dict()])
    return batch.exit_code
