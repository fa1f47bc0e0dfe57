"""Choose the compiled walk if it works with the installed lxml, otherwise the one in Python."""

import logging
from collections.abc import Callable
from typing import NamedTuple

from lxml import etree

from broadsheet.document import _pywalk
from broadsheet.document.columns import Columns, Hrefs, Ints, Nodes, Pieces, Sums, Tokens, differing_columns

#: libxml2 silently truncates the tree at this depth, so a tree that reaches it is incomplete.
DEEPEST = 2047

#: A page with every kind of node and slot on which the two walks have to agree.
SAMPLE = (
    b"<!DOCTYPE html><!-- before --><html lang=en><head><title>A &amp; b</title><style>p{}</style></head>"
    b"<body>one<!-- two -->three<p class=x>four <a class=' look y' href='/five?a=1&amp;b=2'>f\xc3\xafve <b>SIX</b></a>"
    b" 7.5<br>can't<script>if (a<b) {}</script> \xe6\x96\xb0\xe8\x81\x9e<x-custom> </x-custom><a>no link</a><?php?>"
    b"<table><tr><td>nine<td>ten</table></body></html>"
)

logger = logging.getLogger(__name__)


class Walked(NamedTuple):
    """The columns of a tree, and functions that look up elements, attributes, tokens and attribute sets."""

    columns: Columns
    element: Callable[[int], etree._Element]
    attributes: Callable[[list[int], tuple[str, ...]], list[tuple[str | None, ...]]]
    tokens: Callable[[], Tokens]
    attribute_sets: Callable[[list[str], list[str]], tuple[Ints, list[bytes]]]


Walk = Callable[[etree._Element, int], Walked | None]  # noqa: SLF001 -- lxml has no public name for it


def walk_in_python(root: etree._Element, deepest: int) -> Walked | None:
    """Walk the tree in pure Python."""
    walked = _pywalk.walk(root, deepest)
    if walked is None:
        return None
    columns, elements = walked
    return Walked(
        columns,
        elements.__getitem__,
        lambda rows, names: [tuple(map(elements[row].get, names)) for row in rows],
        lambda: _pywalk.tokens(elements),
        lambda valued, named: _pywalk.attribute_sets(elements, valued, named),
    )


def _load_compiled() -> Walk:
    from broadsheet.document import _walk  # noqa: PLC0415 -- importing it is the first step of the self-check

    def walk_compiled(root: etree._Element, deepest: int) -> Walked | None:
        walked = _walk.walk(root, deepest)
        if walked is None:
            return None
        nodes, pieces, sums, hrefs, text, href_text, pointers = walked
        columns = Columns(Nodes(*nodes), Pieces(*pieces), Sums(*sums), Hrefs(*hrefs), text, href_text)
        # These closures refer to the root, which keeps the tree alive for as long as they exist.
        return Walked(
            columns,
            lambda row: _walk.element(root, int(pointers[row])),
            lambda rows, names: _walk.attributes(root, pointers, rows, names),
            lambda: Tokens(*_walk.tokens(root, pointers)),
            lambda valued, named: _walk.attribute_sets(root, pointers, valued, named),
        )

    return walk_compiled


def choose_walk(load: Callable[[], Walk] = _load_compiled) -> Walk:
    """Return the compiled walk if both walks agree on a sample page, otherwise the one in Python."""
    root = etree.fromstring(SAMPLE, etree.HTMLParser(encoding="utf-8"))
    try:
        compiled = load()
        actual, expected = compiled(root, DEEPEST), walk_in_python(root, DEEPEST)
        differences = ["depth"] if actual is None or expected is None else _differences(actual, expected)
    except (ImportError, ValueError, TypeError) as error:
        # Cython raises one of these if the layout of a type has changed.
        differences = [str(error)]
        compiled = walk_in_python
    if not differences:
        return compiled
    logger.warning(
        "the compiled tree walk does not work with lxml %s (%s): falling back to the slower one in Python;"
        " reinstall broadsheet from source to compile it for this version",
        etree.__version__,
        differences,
    )
    return walk_in_python


def _differences(actual: Walked, expected: Walked) -> list[str]:
    names = differing_columns(actual.columns, expected.columns)
    rows = range(len(expected.columns.nodes))
    if not names and [actual.element(row) for row in rows] != [expected.element(row) for row in rows]:
        names.append("elements")
    attributes = ("class", "href", "title")
    if not names and actual.attributes(list(rows), attributes) != expected.attributes(list(rows), attributes):
        names.append("attributes")
    if not names and actual.tokens().text != expected.tokens().text:
        names.append("tokens")
    return names


walk: Walk = choose_walk()
