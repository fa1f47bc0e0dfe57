"""Choose the compiled walk if it works with the installed lxml, otherwise the one in Python."""

import logging
from collections.abc import Callable

from lxml import etree

from broadsheet.document._attributes import Attributes
from broadsheet.document._pywalk import walk_in_python
from broadsheet.document.columns import Columns, Hrefs, Nodes, NodeTexts, Pieces, Sums, differing_columns

#: libxml2 silently truncates the tree at this depth, so a tree that reaches it is incomplete.
DEEPEST = 2047

#: A page with every kind of node and slot on which the two walks have to agree.
SAMPLE = (
    b"<!DOCTYPE html><!-- before --><html lang=en><head><title>A &amp; b</title><style>p{}</style></head>"
    b"<body>one<!-- two -->three<p class=x data-y=z hidden>four <a class=' look y' href='/five?a=1&amp;b=2'>"
    b"f\xc3\xafve <b>SIX</b></a> 7.5<br>can't<script>if (a<b) {}</script> \xe6\x96\xb0\xe8\x81\x9e"
    b"<x-custom> </x-custom><a>no link</a><?php?>"
    b"<table><tr><td>nine<td>ten</table><script type=application/LD+json>{}</script></body></html>"
)

logger = logging.getLogger(__name__)


Walk = Callable[[etree._Element, int], Columns | None]  # noqa: SLF001 -- lxml has no public name for it


def _load_compiled() -> Walk:
    from broadsheet.document import _walk  # noqa: PLC0415 -- importing it is the first step of the self-check

    def walk_compiled(root: etree._Element, deepest: int) -> Columns | None:
        walked = _walk.Walk(root, deepest)
        # The allocator collects the memory of the tree before it hands out the columns' own. Freed later, the tree
        # would no longer be in the processor's caches.
        del root
        if walked.too_deep:
            return None
        (nodes, pieces, sums, hrefs, attributes, unknown, json_ld), texts = walked.columns()
        text, href_text, values, names, scripts = texts
        return Columns(
            Nodes(*nodes[:-1]),
            Pieces(*pieces),
            Sums(*sums),
            Hrefs(*hrefs),
            Attributes(nodes[-1], attributes, values),
            NodeTexts(names, *unknown),
            NodeTexts(scripts, *json_ld),
            text,
            href_text,
        )

    return walk_compiled


def choose_walk(load: Callable[[], Walk] = _load_compiled) -> Walk:
    """Return the compiled walk if both walks agree on a sample page, otherwise the one in Python."""
    root = etree.fromstring(SAMPLE, etree.HTMLParser(encoding="utf-8"))
    try:
        compiled = load()
        actual, expected = compiled(root, DEEPEST), walk_in_python(root, DEEPEST)
        differences = ["depth"] if actual is None or expected is None else differing_columns(actual, expected)
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


walk: Walk = choose_walk()
