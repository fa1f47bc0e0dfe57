"""Serialises our tree with the row of each node, so that a browser's tree can be matched with it."""

from typing import Any

from lxml import etree

from broadsheet.document.document import Document, parse

#: The attribute with the row.
MARK = "data-b"


def mark_rows(data: bytes) -> str:
    """Return a page as our parser parsed it, with its doctype, and every node mark_rows with its row."""
    document = parse(data, encoding="utf-8")
    for row in range(len(document.nodes)):
        _mark(document, row)
    root = document.element(0)
    return str(etree.tostring(root.getroottree(), method="html", encoding="unicode"))


def _mark(document: Document, row: int) -> None:
    # The type stubs only have elements, but comments are rows as well.
    node: Any = document.element(row)
    if isinstance(node.tag, str):
        node.set(MARK, str(row))
    else:
        # A comment has no attributes, but its text is free to use.
        node.text = f"{MARK}={row}"
