"""The `link` elements: the page's own address, its other forms, its neighbours and feeds."""

from collections.abc import Iterable
from typing import Final

from lxml import etree

from broadsheet.document.metadata.findings import Elements, Findings, clean
from broadsheet.document.metadata.records import LinkedPage

#: The longest `rel`, `type` or `hreflang` that is read, in characters.
MAX_ATTRIBUTE: Final = 1_000

#: Relation to the field it speaks for.
_FIELDS: Final = {
    "amphtml": "amp",
    "next": "next",
    "prev": "previous",
    "previous": "previous",
    "author": "author_urls",
    "image_src": "images",
}
_READ: Final = frozenset((*_FIELDS, "alternate"))
_FEEDS: Final = frozenset(f"application/{form}" for form in ("rss+xml", "atom+xml", "rdf+xml", "feed+json"))


def read_canonical(links: Elements, findings: Findings) -> None:
    """Read the address that the page claims for its own; it helps to tell what speaks of the page."""
    for node, element in links:
        if (href := element.get("href")) and "canonical" in _relations(element):
            findings.add_url("canonical", str(href), "link canonical", node)


def read_links(links: Elements, findings: Findings) -> None:
    """Read the other `link` elements, each with its row."""
    for node, element in links:
        href = element.get("href")
        relations = _relations(element)
        # Most links name sheets and icons.
        if not href or (relations and _READ.isdisjoint(relations)):
            continue
        if any(len(element.get(name) or "") > MAX_ATTRIBUTE for name in ("rel", "type", "hreflang")):
            findings.dropped["link: attribute too long"] += 1
            continue
        for relation in relations:
            if field := _FIELDS.get(relation):
                findings.add_url(field, str(href), f"link {relation}", node)
            elif relation == "alternate" and not any("stylesheet" in other for other in relations):
                _read_alternate(node, element, str(href), findings)


def _relations(element: etree._Element) -> Iterable[str]:
    """Return the words of `rel`, each once, in their order."""
    written = str(element.get("rel") or "")
    return dict.fromkeys(written.lower().split()) if len(written) <= MAX_ATTRIBUTE else ()


def _read_alternate(node: int, element: etree._Element, href: str, findings: Findings) -> None:
    kind = clean(element.get("type") or "").lower().partition(";")[0].strip() or None
    language = clean(element.get("hreflang") or "") or None
    if kind not in _FEEDS and language is None:
        # Editions for other devices and formats: oEmbed, JSON, a mobile site.
        return
    field = "feeds" if kind in _FEEDS else "alternates"
    if url := findings.absolute(field, href):
        title = findings.text(field, element.get("title") or "") or None
        findings.add_linked(field, LinkedPage(url, title, kind, language, node))
