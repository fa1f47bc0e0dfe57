"""The `link` elements: the page's own address, its other forms, its neighbours and feeds."""

from typing import Final

from lxml import etree

from broadsheet.document.metadata.findings import Elements, Findings, clean
from broadsheet.document.metadata.records import LinkedPage

#: Relation to the field it speaks for.
_FIELDS: Final = {
    "amphtml": "amp",
    "next": "next",
    "prev": "previous",
    "previous": "previous",
    "author": "author_urls",
    "image_src": "images",
}
_FEEDS: Final = frozenset(f"application/{form}" for form in ("rss+xml", "atom+xml", "rdf+xml", "feed+json"))


def read_canonical(links: Elements, findings: Findings) -> None:
    """Read the address that the page claims for its own; it helps to tell what speaks of the page."""
    for node, element in links:
        if (href := element.get("href")) and "canonical" in str(element.get("rel")).lower().split():
            findings.add_url("canonical", str(href), "link canonical", node)


def read_links(links: Elements, findings: Findings) -> None:
    """Read the other `link` elements, each with its row."""
    for node, element in links:
        relations, href = element.get("rel"), element.get("href")
        if not relations or not href:
            continue
        for relation in str(relations).lower().split():
            if field := _FIELDS.get(relation):
                findings.add_url(field, str(href), f"link {relation}", node)
            elif relation == "alternate" and "stylesheet" not in str(relations).lower():
                _read_alternate(node, element, str(href), findings)


def _read_alternate(node: int, element: etree._Element, href: str, findings: Findings) -> None:
    kind = clean(element.get("type") or "").lower().partition(";")[0].strip() or None
    language = clean(element.get("hreflang") or "") or None
    if kind not in _FEEDS and language is None:
        # Editions for other devices and formats: oEmbed, JSON, a mobile site.
        return
    if url := findings.absolute(href):
        page = LinkedPage(url, clean(element.get("title") or "") or None, kind, language, node)
        (findings.feeds if kind in _FEEDS else findings.alternates).append(page)
