"""The pages that a command is given, parsed: what all commands that work on pages have in common."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from broadsheet.cli.arguments import encoding, url
from broadsheet.cli.batch import Batch
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import Loaded
from broadsheet.cli.rendering import add_render_option, rendering
from broadsheet.document import Document, parse

T = TypeVar("T")


def add_pages(parser: ArgumentParser) -> None:
    """Declare the pages."""
    parser.add_argument(
        "pages", metavar="PAGE", nargs="+", help="a file, a folder, a URL, a WARC file, or - for standard input"
    )


def add_page_options(parser: ArgumentParser) -> None:
    """Declare what may be known of pages, and how they are to be taken."""
    parser.add_argument("--encoding", type=encoding, metavar="NAME", help="decode like this, whatever pages say")
    parser.add_argument("--url", type=url, help="the page's address, which relative links start from")
    add_render_option(parser)


@contextmanager
def documents(
    args: Namespace, console: Console, work: Callable[[Document], T]
) -> Iterator[tuple[Batch, Iterator[tuple[str, T]]]]:
    """Give the batch, and each page's name with what the work makes of its document."""
    limits = settings(args).limits
    batch = Batch(args.pages, console, limits.max_bytes, settings(args).crawl)
    if args.url and len(batch) != 1:
        raise UsageError(f"--url is the address of one page, but {len(batch)} are given")
    with rendering(args) as render:

        def parsed(page: Loaded) -> tuple[str, T]:
            document = parse(
                render(page),
                args.url or page.url,
                encoding=args.encoding,
                content_type=page.content_type,
                limits=limits,
            )
            return page.name, work(document)

        yield batch, batch.pages(parsed)
