"""`broadsheet parse PAGE…`: show a summary of a page, or its links, metadata or pieces of text."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial

from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_page_options, add_pages, documents
from broadsheet.cli.inputs import Origin
from broadsheet.cli.text_table import clip
from broadsheet.cli.views import ViewRows, show

_EXAMPLES = """\
examples:
  broadsheet parse page.html                      encoding, title, language and size of a page
  broadsheet parse saved/ more.html               every page in a folder (.html, .htm, .xhtml), and a file
  broadsheet parse https://news.example/          fetch the page first, respecting robots.txt
  broadsheet parse page.html --links --url https://news.example/politics/
  broadsheet parse page.html --metadata           each value, and where it was found
  broadsheet parse - --pieces < page.html         the text of a page from standard input
  broadsheet parse saved/ | jq -r .title          JSON lines when piped
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the pages and the view."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    view = parser.add_mutually_exclusive_group()
    for option, description in (
        ("links", "one row per link: target, anchor text, collection and position in it"),
        ("metadata", "one row per value that the page states about itself"),
        ("pieces", "one row per piece of text between two tags"),
    ):
        view.add_argument(f"--{option}", dest="view", action="store_const", const=option, help=description)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Parse every page and write the rows of the view."""
    with documents(args, console, partial(show, option=args.view)) as (batch, results):
        _write(results, args.view, console)
    return batch.exit_code


def _write(results: Iterator[tuple[Origin, ViewRows]], option: str | None, console: Console) -> None:
    if option is None:
        console.rows({"page": origin.name, **row} for origin, view in results for row in view.rows)
        return
    for origin, view in results:
        console.text(clip(origin.name, console.width, keep_end=True))
        console.rows(({"page": origin.name, **row} for row in view.rows), view.columns)
        console.text()
