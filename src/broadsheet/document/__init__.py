"""Decode and parse a page's bytes, within limits, into a `Document`: the page as columns.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

from broadsheet.document.document import Document, PageInput, parse

__all__ = [
    "Document",
    "PageInput",
    "characters",
    "columns",
    "decoding",
    "document",
    "feeds",
    "link_collections",
    "metadata",
    "parse",
    "stray_tags",
    "styles",
    "tags",
]
