"""Choose the compiled parse if it works with the installed lxml, otherwise a walk over lxml's tree in Python."""

import logging
from collections.abc import Callable

from lxml import etree

from broadsheet.document._attributes import Attributes
from broadsheet.document._lxml_tree import EMPTY_PAGE, build_tree
from broadsheet.document._pywalk import walk_in_python
from broadsheet.document.columns import Columns, Hrefs, Nodes, NodeTexts, Pieces, Sums, differing_columns

#: libxml2 silently truncates a tree at this depth, so a page that reaches it would be incomplete.
DEEPEST = 2047

#: Pages on which the two have to agree: with every kind of node and slot, in disorder, and without elements.
IN_ORDER = (
    b"<!DOCTYPE html><!-- before --><html lang=en>\n<head> <title>A &amp; b</title>\n<style>p{}</style></head>\n"
    b"<body> one<!-- two -->three<p class=x data-y=z hidden checked>four <a class=' look y' href='/five?a=1&amp;b=2'>"
    b"f\xc3\xafve <b>SIX</b> <i> </i></a> 7.5<br>can't<script>if (a<b) {}</script> \xe6\x96\xb0\xe8\x81\x9e"
    b"<x-custom> </x-custom><a>no link</a><?php?>"
    b"<table> <tr> <td>nine<td>ten</table><script type=application/LD+json>{}</script></body>\n</html>\n<!-- after -->"
)
MISPLACED = (
    b"text <p>first</div> <li>item<p><table>in</table></body> <html class=late><body id=late><frameset>"
    b"<select><option>a<option>b</select></html> after <p title>last &copy &unknown; \x01 <!-- open"
)
SAMPLES = (IN_ORDER, MISPLACED, b" \n")

logger = logging.getLogger(__name__)

#: Returns the columns of a page in UTF-8, or None if it has more than the given number of levels.
ParseColumns = Callable[[bytes, int], Columns | None]


def parse_in_python(page: bytes, deepest: int) -> Columns | None:
    """Build lxml's tree of a page and walk over it."""
    return walk_in_python(build_tree(page), deepest)


def _load_compiled() -> ParseColumns:
    from broadsheet.document import _sax  # noqa: PLC0415 -- importing it is the first step of the self-check

    def parse_compiled(page: bytes, deepest: int) -> Columns | None:
        parsed = _sax.Parse(page, deepest)
        if parsed.too_deep:
            return None
        if parsed.empty:
            parsed = _sax.Parse(EMPTY_PAGE, deepest)
        (nodes, pieces, sums, hrefs, attributes, unknown, json_ld), texts = parsed.columns()
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

    return parse_compiled


def choose_parse(load: Callable[[], ParseColumns] = _load_compiled) -> ParseColumns:
    """Return the compiled parse if it agrees with the one in Python on sample pages, otherwise the one in Python."""
    try:
        compiled = load()
        differences = [name for sample in SAMPLES for name in _differences(compiled, sample)]
    except (ImportError, AttributeError, OSError, ValueError, TypeError) as error:
        # The first three say that lxml hides its libxml2, the others that the layout of a type has changed.
        differences = [str(error)]
        compiled = parse_in_python
    if not differences:
        return compiled
    logger.warning(
        "the compiled parse does not work with lxml %s (%s): falling back to a slower one in Python;"
        " reinstall broadsheet from source to compile it for this version",
        etree.__version__,
        differences,
    )
    return parse_in_python


def _differences(compiled: ParseColumns, page: bytes) -> list[str]:
    actual, expected = compiled(page, DEEPEST), parse_in_python(page, DEEPEST)
    return ["depth"] if actual is None or expected is None else differing_columns(actual, expected)


parse_columns: ParseColumns = choose_parse()
