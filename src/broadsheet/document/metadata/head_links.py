"""The `link` elements: the page's own address, its other forms, its neighbours and feeds."""

from functools import lru_cache
from typing import Final, NamedTuple

from lxml import etree

from broadsheet.document.metadata.collector import Elements, MetadataCollector, clean
from broadsheet.document.metadata.metadata_values import LinkedPage

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
_CANONICAL: Final = "canonical"
_READ: Final = frozenset((*_FIELDS, "alternate"))
_NAMED: Final = _READ | {_CANONICAL}
_FEEDS: Final = frozenset(f"application/{form}" for form in ("rss+xml", "atom+xml", "rdf+xml", "feed+json"))


class HeadLink(NamedTuple):
    """A `link` that leads somewhere: its row, its element, its `href` as written, and the words of its `rel`."""

    node: int
    element: etree._Element
    href: str
    relations: tuple[str, ...]


def head_links(elements: Elements) -> list[HeadLink]:
    """Return the `link` elements that are read; those without a `rel` that can be read are kept to be counted."""
    found = []
    for node, element in elements:
        relations = _relations(element)
        # Most links name sheets and icons.
        if (not relations or not _NAMED.isdisjoint(relations)) and (href := element.get("href")):
            found.append(HeadLink(node, element, str(href), relations))
    return found


def read_canonical(links: list[HeadLink], findings: MetadataCollector) -> None:
    """Read the address that the page claims for its own; it helps to tell what speaks of the page."""
    for node, _, href, relations in links:
        if _CANONICAL in relations:
            findings.add_url("canonical", href, "link canonical", node)


def read_links(links: list[HeadLink], findings: MetadataCollector) -> None:
    """Read what the other `link` elements name."""
    for node, element, href, relations in links:
        if relations and _READ.isdisjoint(relations):
            continue
        if any(len(element.get(name) or "") > MAX_ATTRIBUTE for name in ("rel", "type", "hreflang")):
            findings.dropped["link: attribute too long"] += 1
            continue
        for relation in relations:
            if field := _FIELDS.get(relation):
                findings.add_url(field, href, f"link {relation}", node)
            elif relation == "alternate" and not any("stylesheet" in other for other in relations):
                _read_alternate(node, element, href, findings)


def _relations(element: etree._Element) -> tuple[str, ...]:
    """Return the words of `rel`, each once, in their order."""
    written = element.get("rel")
    return _words(written) if written and len(written) <= MAX_ATTRIBUTE else ()


# All pages of the web share a few dozen of them.
@lru_cache(maxsize=256)
def _words(rel: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rel.lower().split()))


def _read_alternate(node: int, element: etree._Element, href: str, findings: MetadataCollector) -> None:
    kind = clean(element.get("type") or "").lower().partition(";")[0].strip() or None
    language = clean(element.get("hreflang") or "") or None
    if kind not in _FEEDS and language is None:
        # Editions for other devices and formats: oEmbed, JSON, a mobile site.
        return
    field = "feeds" if kind in _FEEDS else "alternates"
    if url := findings.absolute(field, href):
        title = findings.text(field, element.get("title") or "") or None
        findings.add_linked(field, LinkedPage(url, title, kind, language, node))
