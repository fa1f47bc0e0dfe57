"""`--render`: pages as a browser shows them, for every command that reads pages."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from broadsheet.cli.command import settings
from broadsheet.crawling.rendering import Renderer, RenderLimits


def add_render_option(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--render", action="store_true", help="run the pages' scripts in Chromium first, cut off from the network"
    )


@contextmanager
def rendering(args: Namespace) -> Iterator[Callable[[bytes], bytes | str]]:
    """Give what makes of a page's bytes the page to read: its DOM, if that was asked for, or the bytes as they are."""
    if not args.render:
        yield bytes
        return
    with Renderer(RenderLimits(max_bytes=settings(args).limits.max_bytes)) as renderer:
        yield lambda content: renderer.render(content, args.url, encoding=args.encoding).html
