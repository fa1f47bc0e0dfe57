"""What a page links to: rows for the archive, targets for the agenda, kept in memory for pages that did not change."""

from collections import OrderedDict
from dataclasses import dataclass

from broadsheet.archive import LinkRows, Store
from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.link_collections import IDENTITY_VERSION

#: Links in memory, of all pages together: each takes a few hundred bytes.
MOST_LINKS = 300_000


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


class KnownLinks:
    """The links of followed pages as they were last fetched, as many as there is room for."""

    def __init__(self, archive: Store, most: int = MOST_LINKS) -> None:
        """Start empty; links of earlier runs, and those that there was no room for, are read from the archive."""
        self._archive = archive
        self._most = most
        self._links: OrderedDict[str, PageLinks] = OrderedDict()
        self._number = 0

    def __len__(self) -> int:
        """Return how many links are in memory."""
        return self._number

    def remember(self, key: str, links: PageLinks) -> None:
        """Keep the links of a page in memory; those that were not used for longest make room."""
        self._forget(key)
        self._links[key] = links
        self._number += len(links.keys)
        while self._number > self._most and len(self._links) > 1:
            self._forget(next(iter(self._links)))

    def of(self, key: str) -> PageLinks:
        """Return what a page linked to when it was last fetched whole; nothing if it never was."""
        if key not in self._links:
            self.remember(key, self._read(key))
        self._links.move_to_end(key)
        return self._links[key]

    def _forget(self, key: str) -> None:
        links = self._links.pop(key, None)
        self._number -= len(links.keys) if links else 0

    def _read(self, key: str) -> PageLinks:
        anchors: dict[str, str] = {}
        urls: dict[str, str] = {}
        for target, url, anchor in self._archive.last_links(key):
            urls.setdefault(target, url)
            anchors[target] = max(anchors.get(target, ""), anchor or "", key=len)
        domains = tuple(map(registrable_domain, urls.values()))
        return PageLinks(tuple(urls), tuple(urls.values()), domains, tuple(anchors.values()))
