"""Breadcrumbs: the way from the site's root to the page, as markup states it and as the page shows it."""

from typing import TYPE_CHECKING, Final

import numpy as np

from broadsheet.document.columns import Tokens
from broadsheet.document.metadata.collector import Elements, MetadataCollector, clean
from broadsheet.document.metadata.metadata_values import Crumb
from broadsheet.document.metadata.things import Properties, Thing, first_text, opened, plain

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: Something with more links than this is called a breadcrumb, but is a menu.
MAX_CRUMBS: Final = 12
#: The most text of a visible trail in bytes, white space of the markup included.
MAX_TEXT: Final = 4_000

#: The longest position that is read, in characters.
MAX_POSITION: Final = 20

_FIELD: Final = "breadcrumbs"
_MARK: Final = b"readcrumb"
_LABELS: Final = ("breadcrumb", "brotkrume", "ariane", "kruimelpad", "brødkrumme", "brödsmul")
_STEPS: Final = frozenset(("a", "li", "span"))
_SEPARATORS: Final = "/|<>«»\u2039\u203a→·•-\u2013\u2014:\\ "
_ITEMPROP: Final = Tokens.KINDS.index("itemprop")


def read_structured_trail(thing: Thing, findings: MetadataCollector) -> None:
    """Keep the trail that a `BreadcrumbList` describes, in the order of its positions where all have one."""
    steps = [value for value in thing.values("itemListElement") if isinstance(value, dict)]
    items = findings.budget.first("breadcrumb: too many steps", steps)
    positions = [_position(item) for item in items]
    if None not in positions:
        order = sorted(range(len(items)), key=lambda index: positions[index] or 0.0)
        items = [items[index] for index in order]
    crumbs = [crumb for item in items if (crumb := _crumb(item, findings))]
    findings.add_trail(crumbs, thing.source("itemListElement"), thing.node)


def _position(item: Properties) -> float | None:
    try:
        return float((first_text(item, "position") or "")[:MAX_POSITION])
    except ValueError:
        return None


def _crumb(item: Properties, findings: MetadataCollector) -> Crumb | None:
    target = next(opened(item.get("item")), None)
    inner = target if isinstance(target, dict) else {}
    name = findings.text(_FIELD, first_text(item, "name") or first_text(inner, "name") or "")
    address = first_text(inner, "@id", "url") or plain(target) or first_text(item, "url", "@id")
    return Crumb(name, findings.absolute(_FIELD, address) if address else None) if name else None


def read_visible_trails(document: "Document", navs: Elements, findings: MetadataCollector) -> None:
    """Keep the trails that are called so by their class or id, or by the `aria-label` of a `nav`."""
    labels = ((row, str(element.get("aria-label") or "").lower()) for row, element in navs)
    labelled = {row for row, label in labels if label and any(word in label for word in _LABELS)}
    called = sorted(labelled | _called_breadcrumb(document))
    inside = 0
    for node in findings.budget.first("breadcrumb: too many", called):
        if node >= inside:
            trail, links = _whole_trail(document, node)
            if 0 < len(links) <= MAX_CRUMBS:
                _read_visible(document, trail, links, findings)
                # What lies in a trail is a part of it and no other trail.
                inside = int(document.nodes.end[trail])


def _called_breadcrumb(document: "Document") -> set[int]:
    tokens = document.tokens
    found, at = [], tokens.text.find(_MARK)
    while at >= 0:
        found.append(at)
        at = tokens.text.find(_MARK, at + 1)
    if not found:
        return set()
    rows = np.searchsorted(tokens.start, found, "right") - 1
    return set(tokens.node[rows[tokens.kind[rows] != _ITEMPROP]].tolist())


def _whole_trail(document: "Document", node: int) -> tuple[int, range]:
    """Return the element and its links; where it is only one step, those of the element around the steps."""
    links = _links_in(document, node)
    for _ in _STEPS:
        if len(links) < 2 and document.tag_name(node) in _STEPS:
            node = int(document.nodes.parent[node])
            links = _links_in(document, node)
    return node, links


def _links_in(document: "Document", node: int) -> range:
    first, last = np.searchsorted(document.hrefs.node, (node, document.nodes.end[node]))
    return range(int(first), int(last))


def _read_visible(document: "Document", node: int, links: range, findings: MetadataCollector) -> None:
    """Keep one trail: its links, and the text behind the last, which names the page itself."""
    nodes, hrefs = document.nodes, document.hrefs
    if nodes.text_end[node] - nodes.text_start[node] > MAX_TEXT:
        findings.dropped["breadcrumb: text too long"] += 1
        return
    crumbs = [
        Crumb(name, findings.absolute(_FIELD, document.href(link)))
        for link in links
        if (name := findings.text(_FIELD, document.text(int(hrefs.node[link]))))
    ]
    behind = document.columns.text[nodes.text_end[hrefs.node[links[-1]]] : nodes.text_end[node]].decode()
    page = clean(behind).strip(_SEPARATORS)
    if any(map(str.isalnum, page)):
        crumbs.append(Crumb(page, None))
    findings.add_trail(crumbs, "breadcrumb", node)
