"""`--render`: pages as a browser shows them, for every command that reads pages."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from broadsheet.cli.command import settings
from broadsheet.cli.inputs import Loaded
from broadsheet.crawling.rendering import Renderer, RenderLimits


def add_render_option(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--render", action="store_true", help="run the pages' scripts in Chromium first, cut off from the network"
    )


@contextmanager
def rendering(args: Namespace) -> Iterator[Callable[[Loaded], bytes | str]]:
    """Give what makes of a page what is to be read: its DOM, if that was asked for, or the bytes as they are."""
    if not args.render:
        yield lambda page: page.content
        return
    with Renderer(RenderLimits(max_bytes=settings(args).limits.max_bytes)) as renderer:
        yield lambda page: renderer.render(page.content, args.url or page.url, encoding=args.encoding).html
