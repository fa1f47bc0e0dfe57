"""The `link` elements: canonical URL, AMP and other editions, next and previous pages, feeds."""

from functools import lru_cache
from typing import Final, NamedTuple

from lxml import etree

from broadsheet.document.metadata._metadata_values import LinkedPage
from broadsheet.document.metadata.collector import Elements, MetadataCollector, clean

#: The longest `rel`, `type` or `hreflang` that is read, in characters.
MAX_ATTRIBUTE: Final = 1_000

#: Maps a link relation to the field it fills.
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
    """A `link` element with an `href`: its row, its element, its `href` as written, and the words of its `rel`."""

    node: int
    element: etree._Element
    href: str
    relations: tuple[str, ...]


def head_links(elements: Elements) -> list[HeadLink]:
    """Return the relevant `link` elements, and those without a readable `rel`, so that they can be counted."""
    links = []
    for node, element in elements:
        relations = _relations(element)
        # Most links refer to style sheets and icons.
        if (not relations or not _NAMED.isdisjoint(relations)) and (href := element.get("href")):
            links.append(HeadLink(node, element, str(href), relations))
    return links


def read_canonical(links: list[HeadLink], collector: MetadataCollector) -> None:
    """Read the canonical URL first: it helps to decide which of the described things is the page itself."""
    for node, _, href, relations in links:
        if _CANONICAL in relations:
            collector.add_url("canonical", href, "link canonical", node)


def read_links(links: list[HeadLink], collector: MetadataCollector) -> None:
    """Read all other `link` elements."""
    for node, element, href, relations in links:
        if relations and _READ.isdisjoint(relations):
            continue
        if any(len(element.get(name) or "") > MAX_ATTRIBUTE for name in ("rel", "type", "hreflang")):
            collector.dropped["link: attribute too long"] += 1
            continue
        for relation in relations:
            if field := _FIELDS.get(relation):
                collector.add_url(field, href, f"link {relation}", node)
            elif relation == "alternate" and not any("stylesheet" in other for other in relations):
                _read_alternate(node, element, href, collector)


def _relations(element: etree._Element) -> tuple[str, ...]:
    """Return the distinct words of `rel`, in order."""
    rel = element.get("rel")
    return _words(rel) if rel and len(rel) <= MAX_ATTRIBUTE else ()


# Nearly all pages use the same few dozen values.
@lru_cache(maxsize=256)
def _words(rel: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rel.lower().split()))


def _read_alternate(node: int, element: etree._Element, href: str, collector: MetadataCollector) -> None:
    kind = clean(element.get("type") or "").lower().partition(";")[0].strip() or None
    language = clean(element.get("hreflang") or "") or None
    if kind not in _FEEDS and language is None:
        # Alternates for other devices and formats: oEmbed, JSON, a mobile site.
        return
    field = "feeds" if kind in _FEEDS else "alternates"
    if url := collector.absolute(field, href):
        title = collector.text(field, element.get("title") or "") or None
        collector.add_linked(field, LinkedPage(url, title, kind, language, node))
