"""Decode and parse a page's bytes, within limits, into a `Document`: the page as columns."""

from broadsheet.document.document import Document, PageInput, parse

__all__ = ["Document", "PageInput", "parse"]
