"""What a page links to: rows for the archive, and targets for the agenda."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from broadsheet.archive import LinkRows
from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.link_collections import IDENTITY_VERSION


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The distinct targets of one page, in the order of their first links."""

    keys: tuple[str, ...]
    urls: tuple[str, ...]
    domains: tuple[str, ...]
    anchors: tuple[str, ...]
    #: How many more there were than are taken of one page.
    dropped: int = 0

    def on_site(self, domain: str) -> list[int]:
        """Return the rows of the targets on a site, given by its registrable domain."""
        return [row for row, own in enumerate(self.domains) if own == domain]


def page_links(document: Document, most: int) -> PageLinks:
    """Return the first distinct targets of a page, each with the longest text that a link gives it."""
    links = document.links
    kept = min(most, len(links.urls))
    anchors = [""] * kept
    for row, target in enumerate(links.target.tolist()):
        if 0 <= target < kept:
            anchors[target] = max(anchors[target], links.anchor(row), key=len)
    dropped = len(links.urls) - kept
    return PageLinks(links.keys[:kept], links.urls[:kept], links.domains[:kept], tuple(anchors), dropped)


def link_rows(document: Document, most: int) -> LinkRows:
    """Return a row for each of the first link occurrences that lead to a page."""
    links = document.links
    rows = [row for row, target in enumerate(links.target.tolist()) if target >= 0][:most]
    targets = links.target[rows].tolist()
    identities = [f"{identity:016x}" for identity in links.collections.identity.tolist()]
    return LinkRows(
        targets=tuple(links.keys[target] for target in targets),
        urls=tuple(links.urls[target] for target in targets),
        collections=tuple(identities[collection] for collection in links.collection[rows].tolist()),
        positions=links.position[rows],
        paths=tuple(links.generalised_path(row) for row in rows),
        anchors=tuple(links.anchor(row) for row in rows),
        version=IDENTITY_VERSION,
    )


def readdress(links: PageLinks, known: Mapping[str, str]) -> PageLinks:
    """Give some targets, by their keys, other addresses; those that become one keep the longest text."""
    addresses: dict[str, str] = {}
    domains: dict[str, str] = {}
    anchors: dict[str, str] = {}
    for key, url, domain, anchor in zip(links.keys, links.urls, links.domains, links.anchors, strict=True):
        address = known.get(key, url)
        target = urls.key(address) if key in known else key
        addresses.setdefault(target, address)
        domains.setdefault(target, domain)
        anchors[target] = max(anchors.get(target, ""), anchor, key=len)
    return replace(
        links,
        keys=tuple(addresses),
        urls=tuple(addresses.values()),
        domains=tuple(domains.values()),
        anchors=tuple(anchors.values()),
    )


def readdress_rows(rows: LinkRows, known: Mapping[str, str]) -> LinkRows:
    """Give the rows of some targets, by their keys, other addresses."""
    return replace(
        rows,
        targets=tuple(urls.key(known[key]) if key in known else key for key in rows.targets),
        urls=tuple(known.get(key, url) for key, url in zip(rows.targets, rows.urls, strict=True)),
    )
