"""Breadcrumbs: the path from the site's root to the page, from structured markup and from visible elements."""

from typing import TYPE_CHECKING, Final

from broadsheet.document.columns import Tokens
from broadsheet.document.metadata._metadata_values import Crumb
from broadsheet.document.metadata.collector import MetadataCollector, clean
from broadsheet.document.metadata.things import Properties, Thing, as_text, first_text, iter_values

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: An element with more links than this is a menu, even if it is called a breadcrumb.
MAX_CRUMBS: Final = 12
#: The longest text of a visible trail in bytes, including white space.
MAX_TEXT: Final = 4_000

#: How many characters of a position are read.
MAX_POSITION: Final = 20

_FIELD: Final = "breadcrumbs"
_MARK: Final = b"readcrumb"
_LABELS: Final = ("breadcrumb", "brotkrume", "ariane", "kruimelpad", "brødkrumme", "brödsmul")
_STEPS: Final = frozenset(("a", "li", "span"))
_SEPARATORS: Final = "/|<>«»\u2039\u203a→·•-\u2013\u2014:\\ "
_ITEMPROP: Final = Tokens.KINDS.index("itemprop")


def read_structured_trail(thing: Thing, collector: MetadataCollector) -> None:
    """Add the trail that a `BreadcrumbList` describes, ordered by position if every item has one."""
    steps = [value for value in thing.values("itemListElement") if isinstance(value, dict)]
    items = collector.budget.afford_first("breadcrumb: too many steps", steps)
    positions = [_position(item) for item in items]
    if None not in positions:
        order = sorted(range(len(items)), key=lambda index: positions[index] or 0.0)
        items = [items[index] for index in order]
    crumbs = [crumb for item in items if (crumb := _crumb(item, collector))]
    collector.add_trail(crumbs, thing.source("itemListElement"), thing.node)


def _position(item: Properties) -> float | None:
    try:
        return float((first_text(item, "position") or "")[:MAX_POSITION])
    except ValueError:
        return None


def _crumb(item: Properties, collector: MetadataCollector) -> Crumb | None:
    target = next(iter_values(item.get("item")), None)
    inner = target if isinstance(target, dict) else {}
    name = collector.text(_FIELD, first_text(item, "name") or first_text(inner, "name") or "")
    url = first_text(inner, "@id", "url") or as_text(target) or first_text(item, "url", "@id")
    return Crumb(name, collector.absolute(_FIELD, url) if url else None) if name else None


def read_visible_trails(document: "Document", navs: list[int], collector: MetadataCollector) -> None:
    """Add the trails that their class, their id or the `aria-label` of a `nav` calls breadcrumbs."""
    labels = zip(navs, document.attributes(navs, "aria-label"), strict=True)
    labelled = {row for row, (label,) in labels if label and any(word in label.lower() for word in _LABELS)}
    candidates = sorted(labelled | _nodes_called_breadcrumb(document))
    end_of_last = 0
    for node in collector.budget.afford_first("breadcrumb: too many", candidates):
        if node >= end_of_last:
            trail, links = _enclosing_trail(document, node)
            if 0 < len(links) <= MAX_CRUMBS:
                _read_visible(document, trail, links, collector)
                # Candidates inside a trail are parts of it.
                end_of_last = int(document.nodes.end[trail])


def _nodes_called_breadcrumb(document: "Document") -> set[int]:
    tokens = document.tokens
    offsets, at = [], tokens.text.find(_MARK)
    while at >= 0:
        offsets.append(at)
        at = tokens.text.find(_MARK, at + 1)
    if not offsets:
        return set()
    rows = tokens.start.searchsorted(offsets, "right") - 1
    return set(tokens.node[rows[tokens.kind[rows] != _ITEMPROP]].tolist())


def _enclosing_trail(document: "Document", node: int) -> tuple[int, range]:
    """Return the element with its links or, if it is only one step of a trail, the ancestor that contains the steps."""
    links = _links_in(document, node)
    for _ in _STEPS:
        if len(links) < 2 and document.tag_name(node) in _STEPS:
            node = int(document.nodes.parent[node])
            links = _links_in(document, node)
    return node, links


def _links_in(document: "Document", node: int) -> range:
    first, last = document.hrefs.node.searchsorted((node, document.nodes.end[node]))
    return range(int(first), int(last))


def _read_visible(document: "Document", node: int, links: range, collector: MetadataCollector) -> None:
    """Add one trail: its links, and the text after the last link, which names the page itself."""
    nodes, hrefs = document.nodes, document.hrefs
    if nodes.text_end[node] - nodes.text_start[node] > MAX_TEXT:
        collector.dropped["breadcrumb: text too long"] += 1
        return
    crumbs = [
        Crumb(name, collector.absolute(_FIELD, document.href(link)))
        for link in links
        if (name := collector.text(_FIELD, document.text(int(hrefs.node[link]))))
    ]
    trailing_text = document.columns.text[nodes.text_end[hrefs.node[links[-1]]] : nodes.text_end[node]].decode()
    page_name = clean(trailing_text).strip(_SEPARATORS)
    if any(map(str.isalnum, page_name)):
        crumbs.append(Crumb(page_name, None))
    collector.add_trail(crumbs, "breadcrumb", node)
