"""The pages that a command is given, parsed: what all commands that work on pages have in common."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from broadsheet.base.limits import Limits
from broadsheet.base.pool import cores
from broadsheet.cli.arguments import encoding, positive, url
from broadsheet.cli.batch import Batch
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import Loaded, Origin
from broadsheet.cli.rendering import add_render_option, rendering
from broadsheet.document import parse

T = TypeVar("T")


def add_pages(parser: ArgumentParser) -> None:
    """Declare the pages."""
    parser.add_argument(
        "pages", metavar="PAGE", nargs="+", help="a file, a folder, a URL, a WARC file, or - for standard input"
    )


def add_page_options(parser: ArgumentParser) -> None:
    """Declare what may be known of pages, and how they are to be taken."""
    parser.add_argument(
        "--encoding", type=encoding, metavar="NAME", help="decode with this encoding, whatever the pages declare"
    )
    parser.add_argument("--url", type=url, help="the page's address, for resolving relative links")
    add_render_option(parser)


def add_jobs_option(parser: ArgumentParser) -> None:
    """Declare how many pages are worked on at a time."""
    parser.add_argument(
        "--jobs", type=positive, metavar="N", default=cores(), help="number of processes (one per core)"
    )


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """Work on documents as work on pages that are not parsed yet; it can be told to another process.

    With `timed`, the work takes when the page was captured as its `fetched_at`.
    """

    work: Callable[..., T]
    url: str | None
    encoding: str | None
    limits: Limits
    timed: bool

    def __call__(self, page: Loaded) -> T:
        """Parse a page and do the work on it."""
        document = parse(
            page.content,
            self.url or page.origin.url,
            encoding=self.encoding,
            content_type=page.content_type,
            limits=self.limits,
        )
        return self.work(document, fetched_at=page.origin.fetched_at) if self.timed else self.work(document)


@contextmanager
def documents(
    args: Namespace, console: Console, work: Callable[..., T], *, jobs: int | None = None, timed: bool = False
) -> Iterator[tuple[Batch, Iterator[tuple[Origin, T]]]]:
    """Give the batch, and each page's origin with what the work makes of its document.

    What the work makes must be fit to be sent from process to process; with a number of `jobs`, the work as well.
    With `timed`, the work also takes when the page was captured as its `fetched_at`.
    """
    limits = settings(args).limits
    batch = Batch(args.pages, console, limits.max_bytes, settings(args).crawl)
    if args.url and (batch.is_many or len(batch) != 1):
        many = f"{len(batch)} are given" if len(batch) != 1 else "a WARC file holds many, each with its own"
        raise UsageError(f"--url is the address of one page, but {many}")
    parsed = Parsed(work, args.url, args.encoding, limits, timed)
    with rendering(args) as render:
        yield batch, batch.pages(parsed, jobs=jobs, change=render)
