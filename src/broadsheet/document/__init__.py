"""Bytes to a decoded, capped, parsed page: the `Document`, a page as columns."""

from broadsheet.document.document import Document, PageInput, parse

__all__ = ["Document", "PageInput", "parse"]
