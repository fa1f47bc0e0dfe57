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


def _check_size(data: bytes, limits: Limits) -> None:
    """Raise a `LimitError` if parsing a page would take too much time or memory."""
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


def parse_tree(data: bytes, limits: Limits) -> etree._Element:
    """Return the root of lxml's tree of a page."""
    _check_size(data, limits)
    return build_tree(data)


def read_columns(data: bytes, limits: Limits) -> Columns:
    """Return the columns of a page."""
    _check_size(data, limits)
    deepest = min(limits.max_depth, DEEPEST)
    columns = parse_columns(data, deepest)
    if columns is None:
        raise TooDeep(deepest + 1, deepest)
    return columns
