"""Parsed pages: the arguments and processing that all commands on pages share."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from broadsheet.base.limits import Limits
from broadsheet.cli.arguments import encoding, positive, url
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import LoadedPage, Origin
from broadsheet.cli.page_batch import PageBatch
from broadsheet.cli.render_option import add_render_option, rendering
from broadsheet.document import parse

T = TypeVar("T")


def add_pages(parser: ArgumentParser) -> None:
    """Declare the PAGE arguments."""
    parser.add_argument(
        "pages", metavar="PAGE", nargs="+", help="a file, folder, URL or WARC file, or - for standard input"
    )


def add_page_options(parser: ArgumentParser) -> None:
    """Declare how pages are decoded, addressed and rendered."""
    parser.add_argument(
        "--encoding", type=encoding, metavar="NAME", help="decode pages with this encoding, whatever they declare"
    )
    parser.add_argument("--url", type=url, help="the address of the page, used to resolve relative links")
    add_render_option(parser)


def add_jobs_option(parser: ArgumentParser) -> None:
    """Declare the number of worker processes."""
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="number of worker processes (default: one per core; fewer for few pages)",
    )


@dataclass(frozen=True, slots=True)
class DocumentWork(Generic[T]):
    """Parse a page and apply work to its document; picklable, if the work is, so that it can run in another process.

    With `timed`, the work also receives the time of capture as `fetched_at`.
    """

    work: Callable[..., T]
    url: str | None
    encoding: str | None
    limits: Limits
    timed: bool

    def __call__(self, page: LoadedPage) -> T:
        """Parse the page and apply the work."""
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
    args: Namespace, console: Console, work: Callable[..., T], *, jobs: int | None = 1, timed: bool = False
) -> Iterator[tuple[PageBatch, Iterator[tuple[Origin, T]]]]:
    """Yield the batch, and an iterator over each page's origin with the result of the work on its document.

    The work and its results must be picklable. With `timed`, the work also receives the time of capture as
    `fetched_at`.
    """
    limits = settings(args).limits
    batch = PageBatch(args.pages, console, limits.max_bytes, settings(args).crawl)
    if args.url and (batch.is_many or len(batch) != 1):
        many = f"{len(batch)} are given" if len(batch) != 1 else "a WARC file contains many, each with its own address"
        raise UsageError(f"--url is the address of one page, but {many}")
    document_work = DocumentWork(work, args.url, args.encoding, limits, timed)
    with rendering(args) as render:
        yield batch, batch.pages(document_work, jobs=jobs, change=render)
