"""Where a node stands in the tree, in words."""

from collections.abc import Callable

from lxml import etree

from broadsheet.document.columns import Columns
from broadsheet.document.tags import NAMES, UNKNOWN

Element = Callable[[int], etree._Element]  # noqa: SLF001 -- lxml has no public name for it


def tag_name(columns: Columns, element: Element, node: int) -> str:
    """Return what a node is called, also where HTML does not know the name."""
    code = int(columns.nodes.tag[node])
    return NAMES[code] if code != UNKNOWN else str(element(node).tag)


def path(element: etree._Element) -> str:
    """Return the XPath of an element, with its index, and that of each above it, among its like."""
    return str(element.getroottree().getpath(element))


def generalised_path(columns: Columns, element: Element, node: int) -> str:
    """Return the names of the elements from the root to a node, without indices."""
    names = []
    while node >= 0:
        names.append(tag_name(columns, element, node))
        node = int(columns.nodes.parent[node])
    return "/" + "/".join(reversed(names))
