"""Parse decoded bytes, within the limits."""

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
from broadsheet.document._column_parsing import DEEPEST, parse_columns
from broadsheet.document._lxml_tree import build_tree
from broadsheet.document.columns import Columns


def check_length(page: bytes | str, limits: Limits) -> None:
    """Raise `TooManyBytes` if a page is too long."""
    if len(page) > limits.max_bytes:
        raise TooManyBytes(len(page), limits.max_bytes)


def _checked(data: bytes, limits: Limits) -> bytes:
    """Return a page with an open root; raise a `LimitError` if parsing it would take too much time or memory."""
    check_length(data, limits)
    nodes, work, longest_attribute, most_attributes, root_end = census(data)
    checks: tuple[tuple[type[LimitError], int, int], ...] = (
        (TooManyNodes, nodes, limits.max_nodes),
        (TooTangled, work, limits.max_work),
        (AttributeTooLong, longest_attribute, limits.max_attribute_bytes),
        (TooManyAttributes, most_attributes, limits.max_attributes),
    )
    for error, actual, allowed in checks:
        if actual > allowed:
            raise error(actual, allowed)
    # libxml2 takes `<html … />` for the whole page; browsers ignore the slash.
    return data if root_end < 0 else data[:root_end] + b" " + data[root_end + 1 :]


def parse_tree(data: bytes, limits: Limits) -> etree._Element:
    """Return the root of lxml's tree of a page."""
    return build_tree(_checked(data, limits))


def read_columns(data: bytes, limits: Limits) -> Columns:
    """Return the columns of a page."""
    deepest = min(limits.max_depth, DEEPEST)
    columns = parse_columns(_checked(data, limits), deepest)
    if columns is None:
        raise TooDeep(deepest + 1, deepest)
    return columns
