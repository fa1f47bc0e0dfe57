"""`broadsheet parse PAGE…`: what a page is made of, or its links, metadata or pieces of text."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial

from broadsheet.cli import views
from broadsheet.cli.arguments import encoding, url
from broadsheet.cli.batch import Batch
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import Loaded
from broadsheet.cli.rendering import add_render_option, rendering
from broadsheet.cli.table import clip
from broadsheet.document import Document, parse

NAME = "parse"
HELP = "show what pages are made of: a row each, or their links, metadata or pieces of text"

_EXAMPLES = """\
examples:
  broadsheet parse page.html                      encoding, title, language and sizes of a page
  broadsheet parse saved/ more.html               every page of a folder (.html, .htm, .xhtml), and a file
  broadsheet parse https://news.example/          fetched politely; robots.txt is heeded
  broadsheet parse page.html --links --url https://news.example/politics/
  broadsheet parse page.html --metadata           each value with where it was found
  broadsheet parse - --pieces < page.html         from standard input, the text piece by piece
  broadsheet parse saved/ | jq -r .title          JSON lines when piped
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the pages, the view of them and what is known about them."""
    parser.epilog = _EXAMPLES
    parser.add_argument("pages", metavar="PAGE", nargs="+", help="a file, a folder, a URL, or - for standard input")
    view = parser.add_mutually_exclusive_group()
    for option, description in (
        ("links", "a row per link: where it leads, what it says, its collection and its position there"),
        ("metadata", "a row per value that the page states about itself"),
        ("pieces", "a row per piece of text between two tags"),
    ):
        view.add_argument(f"--{option}", dest="view", action="store_const", const=option, help=description)
    parser.add_argument("--encoding", type=encoding, metavar="NAME", help="decode like this, whatever pages say")
    parser.add_argument("--url", type=url, help="the page's address, which relative links start from")
    add_render_option(parser)


def execute(args: Namespace, console: Console) -> int:
    """Parse every page and write the rows that were asked for."""
    limits = settings(args).limits
    batch = Batch(args.pages, console, limits.max_bytes, settings(args).crawl)
    if args.url and len(batch) != 1:
        raise UsageError(f"--url is the address of one page, but {len(batch)} are given")
    parse_page = partial(parse, encoding=args.encoding, limits=limits)

    with rendering(args) as render:

        def work(page: Loaded) -> tuple[str, Document]:
            address = args.url or page.url
            return page.name, parse_page(render(page.content), url=address, content_type=page.content_type)

        _write(batch.pages(work), args.view, console)
    return batch.exit_code


def _write(results: Iterator[tuple[str, Document]], option: str | None, console: Console) -> None:
    if option is None:
        console.rows(views.summary(name, document) for name, document in results)
        return
    for name, document in results:
        view = views.view(option, document)
        console.text(clip(name, console.width, keep_end=True))
        console.rows(({"page": name, **row} for row in view.rows(document)), view.columns)
        console.text()
