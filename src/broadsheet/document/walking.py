"""The walk in use: the compiled one where it agrees with the installed lxml, otherwise the one in Python."""

import logging
from collections.abc import Callable
from typing import NamedTuple

from lxml import etree

from broadsheet.document import pywalk
from broadsheet.document.columns import Columns, Hrefs, Ints, Nodes, Pieces, Sums, Tokens, differing

#: libxml2 stops at this depth without a word, so a tree that reaches it has lost something.
DEEPEST = 2047

#: Every kind of node and slot that the two walks have to agree on.
SAMPLE = (
    b"<!DOCTYPE html><!-- before --><html lang=en><head><title>A &amp; b</title><style>p{}</style></head>"
    b"<body>one<!-- two -->three<p class=x>four <a class=' look y' href='/five?a=1&amp;b=2'>f\xc3\xafve <b>SIX</b></a>"
    b" 7.5<br>can't<script>if (a<b) {}</script> \xe6\x96\xb0\xe8\x81\x9e<x-custom> </x-custom><a>no link</a><?php?>"
    b"<table><tr><td>nine<td>ten</table></body></html>"
)

logger = logging.getLogger(__name__)


class Walked(NamedTuple):
    """The columns of a tree, and lxml's own element for each row of its nodes."""

    columns: Columns
    element: Callable[[int], etree._Element]
    tokens: Callable[[], Tokens]
    attribute_sets: Callable[[list[str], list[str]], tuple[Ints, list[bytes]]]


Walk = Callable[[etree._Element, int], Walked | None]  # noqa: SLF001 -- lxml has no public name for it


def walk_in_python(root: etree._Element, deepest: int) -> Walked | None:
    """Walk with plain Python."""
    walked = pywalk.walk(root, deepest)
    if walked is None:
        return None
    columns, elements = walked
    return Walked(
        columns,
        elements.__getitem__,
        lambda: pywalk.tokens(elements),
        lambda valued, named: pywalk.attribute_sets(elements, valued, named),
    )


def _load_compiled() -> Walk:
    from broadsheet.document import _walk  # noqa: PLC0415 -- importing it is the first part of the self-check

    def walk_compiled(root: etree._Element, deepest: int) -> Walked | None:
        walked = _walk.walk(root, deepest)
        if walked is None:
            return None
        nodes, pieces, sums, hrefs, text, href_text, pointers = walked
        columns = Columns(Nodes(*nodes), Pieces(*pieces), Sums(*sums), Hrefs(*hrefs), text, href_text)
        # The root keeps the tree alive for as long as anybody can ask for an element.
        return Walked(
            columns,
            lambda row: _walk.element(root, int(pointers[row])),
            lambda: Tokens(*_walk.tokens(root, pointers)),
            lambda valued, named: _walk.attribute_sets(root, pointers, valued, named),
        )

    return walk_compiled


def choose(load: Callable[[], Walk] = _load_compiled) -> Walk:
    """Return the compiled walk if it reads a sample page like the one in Python, otherwise the latter."""
    root = etree.fromstring(SAMPLE, etree.HTMLParser(encoding="utf-8"))
    try:
        compiled = load()
        ours, reference = compiled(root, DEEPEST), walk_in_python(root, DEEPEST)
        differences = ["depth"] if ours is None or reference is None else _differences(ours, reference)
    except (ImportError, ValueError, TypeError) as error:
        # Cython refuses types whose layout has changed with one of these.
        differences = [str(error)]
        compiled = walk_in_python
    if not differences:
        return compiled
    logger.warning("the compiled walk does not fit lxml %s (%s): using the slow one", etree.__version__, differences)
    return walk_in_python


def _differences(ours: Walked, reference: Walked) -> list[str]:
    names = differing(ours.columns, reference.columns)
    rows = range(len(reference.columns.nodes))
    if not names and [ours.element(row) for row in rows] != [reference.element(row) for row in rows]:
        names.append("elements")
    if not names and ours.tokens().text != reference.tokens().text:
        names.append("tokens")
    return names


walk: Walk = choose()
