"""What the pages of a source link to: rows for the archive, sightings for the cycle, remembered for 304s."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow.compute as pc

from broadsheet.archive import LinkRows, PageRecord, Store
from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.newsroom.cycle import Sighting

#: Links that are remembered, of all pages together: each takes some hundred bytes.
MOST_LINKS = 300_000


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The distinct targets of one page, in the order in which they first stand there."""

    keys: tuple[str, ...]
    urls: tuple[str, ...]
    domains: tuple[str, ...]
    anchors: tuple[str, ...]
    #: How many more there were than are taken of one page.
    dropped: int = 0

    def on_site(self, home: str, *, from_home: bool) -> Iterator[Sighting]:
        """Give the targets on the site of a home page."""
        domain = registrable_domain(home)
        for key, url, own, anchor in zip(self.keys, self.urls, self.domains, self.anchors, strict=True):
            if own == domain:
                yield Sighting(key, url, anchor, from_home)


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
    )


class KnownLinks:
    """The links of pages that did not change since they were last fetched, as many as there is room for."""

    def __init__(self, archive: Store, most: int = MOST_LINKS) -> None:
        """Remember nothing yet; what was not seen in this run, or is forgotten, is read from the archive."""
        self._archive = archive
        self._most = most
        self._links: OrderedDict[str, PageLinks] = OrderedDict()
        self._number = 0

    def __len__(self) -> int:
        """Return how many links are remembered."""
        return self._number

    def remember(self, key: str, links: PageLinks) -> None:
        """Keep the links of a page that is followed; those that were not asked for longest make room."""
        self._forget(key)
        self._links[key] = links
        self._number += len(links.keys)
        while self._number > self._most and len(self._links) > 1:
            self._forget(next(iter(self._links)))

    def of(self, record: PageRecord) -> PageLinks:
        """Return what a page linked to when it was last fetched whole."""
        if record.key not in self._links:
            self.remember(record.key, self._read(record))
        self._links.move_to_end(record.key)
        return self._links[record.key]

    def _forget(self, key: str) -> None:
        links = self._links.pop(key, None)
        self._number -= len(links.keys) if links else 0

    def _read(self, record: PageRecord) -> PageLinks:
        found = self._archive.occurrences().to_table(
            columns=["target", "url"], filter=pc.field("visit") == record.visit
        )
        urls = dict(zip(found["target"].to_pylist(), found["url"].to_pylist(), strict=True))
        domains = tuple(map(registrable_domain, urls.values()))
        return PageLinks(tuple(urls), tuple(urls.values()), domains, ("",) * len(urls))
