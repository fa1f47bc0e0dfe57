"""Renders a view into the bytes that a server sends."""

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from broadsheet.newsweb._page_content import Subtype
from broadsheet.newsweb.site import Rendering
from broadsheet.newsweb.site_knobs import FeedFormat
from broadsheet.newsweb.templates import _cards, _composition, _machine_files, _semantic, _table_layout
from broadsheet.newsweb.templates._page_heads import FILLING, filling
from broadsheet.newsweb.templates._view import PageView

Render = Callable[[PageView], str]

_TEMPLATES: Mapping[Rendering, Render] = {
    "composed": _composition.render,
    "semantic": _semantic.render,
    "cards": _cards.render,
    "tables": _table_layout.render,
}
_FEED_TYPES: Mapping[FeedFormat, str] = {
    "rss": "application/rss+xml; charset=utf-8",
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json",
}
_MACHINE_FILES: Mapping[Subtype, tuple[str, Render]] = {
    "feed": ("application/rss+xml; charset=utf-8", _machine_files.feed),
    "sitemap": ("application/xml; charset=utf-8", _machine_files.sitemap),
    "sitemap-index": ("application/xml; charset=utf-8", _machine_files.sitemap_index),
    "robots": ("text/plain; charset=utf-8", _machine_files.robots),
    "picture": ("image/svg+xml", _machine_files.picture),
}


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """A rendered page and its content type."""

    content_type: str
    body: bytes


def render(view: PageView) -> RenderedTemplate:
    """Render a page in its site's template and encoding, or a machine-readable file in UTF-8."""
    if machine_file := _MACHINE_FILES.get(view.page.subtype):
        return _render_file(view, *machine_file)
    charset = view.charset or "utf-8"
    text = render_html(view)
    if view.site.plan is None:
        return RenderedTemplate(f"text/html; charset={charset}", encode_html(text, charset))
    # The styles and scripts of a planned site take most of its bytes: they are encoded once.
    before, mark, after = text.partition(FILLING)
    middle = filling(view.site.seed, view.site.plan.padding) if mark else b""
    body = b"".join((encode_html(before, charset), middle, encode_html(after, charset)))
    return RenderedTemplate(f"text/html; charset={charset}", body)


def _render_file(view: PageView, content_type: str, render_text: Render) -> RenderedTemplate:
    body = render_text(view).encode()
    if view.page.broken:
        # The connection to the database was lost in the middle of an element.
        body = body[: 2 * len(body) // 3].rstrip(b"> \n")
    if view.page.subtype == "feed":
        return RenderedTemplate(_FEED_TYPES[view.site.knobs.feed_format], body)
    if view.page.path.endswith(".gz"):
        return RenderedTemplate("application/gzip", gzip.compress(body, mtime=0))
    return RenderedTemplate(content_type, body)


def render_html(view: PageView) -> str:
    """Render a page in its site's template."""
    return _TEMPLATES[view.site.template](view)


def encode_html(text: str, charset: str) -> bytes:
    """Encode a page; characters outside the charset become character references, as real publishing systems do."""
    return text.encode(charset, errors="xmlcharrefreplace")
