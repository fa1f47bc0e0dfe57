"""lxml's tree of a page: what the columns are tested against, and what some callers ask for."""

from threading import local

from lxml import etree

#: lxml returns no tree for a page without elements; this is the smallest page for which it does.
EMPTY_PAGE = b"<html></html>"


def build_tree(page: bytes) -> etree._Element:
    """Return the root of a page in UTF-8; a page without elements yields an empty `html` element."""
    root = etree.fromstring(page or EMPTY_PAGE, _PARSERS.parser)
    return root if root is not None else etree.fromstring(EMPTY_PAGE, _PARSERS.parser)


class _Parsers(local):
    """A parser for each thread: threads would wait for a shared one, and a new one for each page takes time."""

    def __init__(self) -> None:
        # Without huge_tree, libxml2 silently drops everything below 256 levels. The index of ids, which nothing here
        # asks, takes a twentieth of the time of a parse.
        self.parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)


_PARSERS = _Parsers()
