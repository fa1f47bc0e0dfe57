"""Parse decoded bytes into an lxml tree, within the limits."""

from threading import local

from lxml import etree

from broadsheet.base.errors import (
    AttributeTooLong,
    LimitError,
    TooDeep,
    TooManyAttributes,
    TooManyBytes,
    TooManyNodes,
    TooTangled,
)
from broadsheet.base.limits import Limits
from broadsheet.document._census import census
from broadsheet.document._walking import DEEPEST, walk
from broadsheet.document.columns import Columns

#: lxml returns no tree for an empty page; this is the smallest page for which it does.
EMPTY_PAGE = b"<html></html>"


def check_length(page: bytes | str, limits: Limits) -> None:
    """Raise `TooManyBytes` if a page is too long."""
    if len(page) > limits.max_bytes:
        raise TooManyBytes(len(page), limits.max_bytes)


def parse_tree(data: bytes, limits: Limits) -> etree._Element:
    """Return the root of the page's tree; an empty page yields an empty `html` element."""
    check_length(data, limits)
    nodes, work, longest_attribute, most_attributes = census(data)
    checks: tuple[tuple[type[LimitError], int, int], ...] = (
        (TooManyNodes, nodes, limits.max_nodes),
        (TooTangled, work, limits.max_work),
        (AttributeTooLong, longest_attribute, limits.max_attribute_bytes),
        (TooManyAttributes, most_attributes, limits.max_attributes),
    )
    for error, actual, allowed in checks:
        if actual > allowed:
            raise error(actual, allowed)
    parser = _PARSERS.parser
    root = etree.fromstring(data or EMPTY_PAGE, parser)
    return root if root is not None else etree.fromstring(EMPTY_PAGE, parser)


def read_columns(data: bytes, limits: Limits) -> Columns:
    """Parse a page and walk its tree, which is freed again."""
    deepest = min(limits.max_depth, DEEPEST)
    columns = walk(parse_tree(data, limits), deepest)
    if columns is None:
        raise TooDeep(deepest + 1, deepest)
    return columns


class _Parsers(local):
    """A parser for each thread: threads would wait for a shared one, and a new one for each page takes time."""

    def __init__(self) -> None:
        # Without huge_tree, libxml2 silently drops everything below 256 levels. The index of ids, which nothing here
        # asks, takes a twentieth of the time of a parse.
        self.parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)


_PARSERS = _Parsers()
