"""`--render`: run pages in a browser first, for every command that reads pages."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from broadsheet.cli.command import settings
from broadsheet.cli.inputs import LoadedPage
from broadsheet.crawling.rendering import Renderer, RenderLimits


def add_render_option(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--render", action="store_true", help="first run the page's scripts in Chromium, without network access"
    )


@contextmanager
def rendering(args: Namespace) -> Iterator[Callable[[LoadedPage], LoadedPage]]:
    """Yield a function that renders a page if that was requested, or returns it unchanged."""
    if not args.render:
        yield _unchanged
        return
    with Renderer(RenderLimits(max_bytes=settings(args).limits.max_bytes)) as renderer:

        def rendered(page: LoadedPage) -> LoadedPage:
            result = renderer.render(page.content, args.url or page.origin.url, encoding=args.encoding)
            return replace(page, content=result.html)

        yield rendered


def _unchanged(page: LoadedPage) -> LoadedPage:
    return page
