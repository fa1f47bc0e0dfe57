"""From a view to the bytes that a server sends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from broadsheet.newsweb.page_content import Subtype
from broadsheet.newsweb.site import Template
from broadsheet.newsweb.templates import cards, machine_files, semantic, table_layout
from broadsheet.newsweb.templates.view import PageView

Render = Callable[[PageView], str]

_PAGES: Mapping[Template, Render] = {"semantic": semantic.render, "cards": cards.render, "tables": table_layout.render}
_DOCUMENTS: Mapping[Subtype, tuple[str, Render]] = {
    "feed": ("application/rss+xml; charset=utf-8", machine_files.feed),
    "sitemap": ("application/xml; charset=utf-8", machine_files.sitemap),
    "robots": ("text/plain; charset=utf-8", machine_files.robots),
    "picture": ("image/svg+xml", machine_files.picture),
}


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """A page as bytes, and what they are."""

    content_type: str
    body: bytes


def render(view: PageView) -> RenderedTemplate:
    """Write a page in its site's template and encoding, a document for machines in UTF-8."""
    if document := _DOCUMENTS.get(view.page.subtype):
        content_type, write = document
        return RenderedTemplate(content_type, write(view).encode())
    charset = view.charset or "utf-8"
    return RenderedTemplate(f"text/html; charset={charset}", encoded(html(view), charset))


def html(view: PageView) -> str:
    """Write a page in its site's template."""
    return _PAGES[view.site.template](view)


def encoded(text: str, charset: str) -> bytes:
    """Return text as bytes; what an old encoding lacks becomes a character reference, as editing systems do it."""
    return text.encode(charset, errors="xmlcharrefreplace")
