"""Our tree as HTML in which every node carries its row, so that a browser's tree can be laid beside it."""

from typing import Any

from lxml import etree

from broadsheet.document.document import Document, parse

#: The attribute that carries the row.
MARK = "data-b"


def marked(data: bytes) -> str:
    """Return a page as our parser understood it, document type included, every element marked with its row."""
    document = parse(data, encoding="utf-8")
    for row in range(len(document.nodes)):
        _mark(document, row)
    root = document.element(0)
    return str(etree.tostring(root.getroottree(), method="html", encoding="unicode"))


def _mark(document: Document, row: int) -> None:
    # The stubs know elements alone, but comments are among the rows.
    node: Any = document.element(row)
    if isinstance(node.tag, str):
        node.set(MARK, str(row))
    else:
        # A comment has no attributes, but nothing else in it matters to a browser.
        node.text = f"{MARK}={row}"
