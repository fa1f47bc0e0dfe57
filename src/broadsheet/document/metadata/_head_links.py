"""The `link` elements: canonical URL, AMP and other editions, next and previous pages, feeds."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from broadsheet.document.metadata._metadata_values import LinkedPage
from broadsheet.document.metadata.collector import MetadataCollector, clean

if TYPE_CHECKING:
    from broadsheet.document.document import Document

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
    """A `link` element with an `href`: its row, its attributes as written, and the words of its `rel`."""

    node: int
    href: str
    rel: str
    type: str
    hreflang: str
    title: str
    relations: tuple[str, ...]


def head_links(document: "Document", rows: list[int]) -> list[HeadLink]:
    """Return the relevant `link` elements, and those without a readable `rel`, so that they can be counted."""
    links = []
    for node, (rel, href) in zip(rows, document.attributes(rows, "rel", "href"), strict=True):
        relations = _relations(rel)
        # Most links refer to style sheets and icons.
        if (not relations or not _NAMED.isdisjoint(relations)) and href:
            kind, language, title = (document.attribute(node, name) or "" for name in ("type", "hreflang", "title"))
            links.append(HeadLink(node, href, rel or "", kind, language, title, relations))
    return links


def read_canonical(links: list[HeadLink], collector: MetadataCollector) -> None:
    """Read the canonical URL first: it helps to decide which of the described things is the page itself."""
    for link in links:
        if _CANONICAL in link.relations:
            collector.add_url("canonical", link.href, "link canonical", link.node)


def read_links(links: list[HeadLink], collector: MetadataCollector) -> None:
    """Read all other `link` elements."""
    for link in links:
        relations = link.relations
        if relations and _READ.isdisjoint(relations):
            continue
        if max(len(link.rel), len(link.type), len(link.hreflang)) > MAX_ATTRIBUTE:
            collector.dropped["link: attribute too long"] += 1
            continue
        for relation in relations:
            if field := _FIELDS.get(relation):
                collector.add_url(field, link.href, f"link {relation}", link.node)
            elif relation == "alternate" and not any("stylesheet" in other for other in relations):
                _read_alternate(link, collector)


def _relations(rel: str | None) -> tuple[str, ...]:
    """Return the distinct words of `rel`, in order."""
    return _words(rel) if rel and len(rel) <= MAX_ATTRIBUTE else ()


# Nearly all pages use the same few dozen values.
@lru_cache(maxsize=256)
def _words(rel: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rel.lower().split()))


def _read_alternate(link: HeadLink, collector: MetadataCollector) -> None:
    kind = clean(link.type).lower().partition(";")[0].strip() or None
    language = clean(link.hreflang) or None
    if kind not in _FEEDS and language is None:
        # Alternates for other devices and formats: oEmbed, JSON, a mobile site.
        return
    field = "feeds" if kind in _FEEDS else "alternates"
    if url := collector.absolute(field, link.href):
        title = collector.text(field, link.title) or None
        collector.add_linked(field, LinkedPage(url, title, kind, language, link.node))
