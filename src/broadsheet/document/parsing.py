"""Decoded bytes to lxml's tree, within the caps."""

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
from broadsheet.document.walking import DEEPEST, Walked, walk

#: What lxml makes of a page with nothing in it is no tree at all; this is the smallest one.
EMPTY_PAGE = b"<html></html>"


def check_length(page: bytes | str, limits: Limits) -> None:
    """Refuse a page that is too long, before anything is done with it."""
    if len(page) > limits.max_bytes:
        raise TooManyBytes(len(page), limits.max_bytes)


def parse_tree(data: bytes, limits: Limits) -> etree._Element:
    """Return the root of the page's tree; a page with no markup and no text gives an empty `html`."""
    check_length(data, limits)
    nodes, work, longest_attribute, most_attributes = census(data)
    checks: tuple[tuple[type[LimitError], int, int], ...] = (
        (TooManyNodes, nodes, limits.max_nodes),
        (TooTangled, work, limits.max_work),
        (AttributeTooLong, longest_attribute, limits.max_attribute_bytes),
        (TooManyAttributes, most_attributes, limits.max_attributes),
    )
    for error, found, allowed in checks:
        if found > allowed:
            raise error(found, allowed)
    # A parser for each page: it costs a microsecond, and a shared one would make threads wait for each other.
    root = etree.fromstring(data or EMPTY_PAGE, _parser())
    return root if root is not None else etree.fromstring(EMPTY_PAGE, _parser())


def walk_tree(root: etree._Element, limits: Limits) -> Walked:
    """Return the columns of a tree that is not too deep."""
    deepest = min(limits.max_depth, DEEPEST)
    walked = walk(root, deepest)
    if walked is None:
        raise TooDeep(deepest + 1, deepest)
    return walked


def _parser() -> etree.HTMLParser:
    # Without huge_tree, libxml2 drops everything below 256 levels without a word.
    return etree.HTMLParser(encoding="utf-8", huge_tree=True)
