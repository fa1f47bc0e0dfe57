"""`--render`: pages as a browser shows them, for every command that reads pages."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from broadsheet.cli.command import settings
from broadsheet.cli.inputs import Loaded
from broadsheet.crawling.rendering import Renderer, RenderLimits


def add_render_option(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--render", action="store_true", help="run the pages' scripts in Chromium first, without network"
    )


@contextmanager
def rendering(args: Namespace) -> Iterator[Callable[[Loaded], Loaded]]:
    """Give what makes of a page the page that is to be read: its DOM, if that was asked for, or the page as it is."""
    if not args.render:
        yield _itself
        return
    with Renderer(RenderLimits(max_bytes=settings(args).limits.max_bytes)) as renderer:

        def rendered(page: Loaded) -> Loaded:
            shown = renderer.render(page.content, args.url or page.origin.url, encoding=args.encoding)
            return replace(page, content=shown.html)

        yield rendered


def _itself(page: Loaded) -> Loaded:
    return page
