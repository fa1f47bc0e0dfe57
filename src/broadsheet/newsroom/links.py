"""What the pages of a source link to: rows for the archive, sightings for the cycle, remembered for 304s."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow.compute as pc

from broadsheet.archive import Archive, LinkRows, PageRecord
from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.newsroom.cycle import Sighting


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The distinct targets of one page, in the order in which they first stand there."""

    keys: tuple[str, ...]
    urls: tuple[str, ...]
    domains: tuple[str, ...]
    anchors: tuple[str, ...]

    def on_site(self, home: str, *, from_home: bool) -> Iterator[Sighting]:
        """Give the targets on the site of a home page."""
        domain = registrable_domain(home)
        for key, url, own, anchor in zip(self.keys, self.urls, self.domains, self.anchors, strict=True):
            if own == domain:
                yield Sighting(key, url, anchor, from_home)


def page_links(document: Document) -> PageLinks:
    """Return the distinct targets of a page, each with the longest text that a link gives it."""
    links = document.links
    anchors = [""] * len(links.urls)
    for row, target in enumerate(links.target.tolist()):
        if target >= 0:
            anchors[target] = max(anchors[target], links.anchor(row), key=len)
    return PageLinks(links.keys, links.urls, links.domains, tuple(anchors))


def link_rows(document: Document) -> LinkRows:
    """Return a row per link occurrence that leads to a page."""
    links = document.links
    rows = [row for row, target in enumerate(links.target.tolist()) if target >= 0]
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
    """The links of pages that did not change since they were last fetched."""

    def __init__(self, archive: Archive) -> None:
        """Remember nothing yet; what was not seen in this run is read from the archive."""
        self._archive = archive
        self._links: dict[str, PageLinks] = {}

    def remember(self, key: str, links: PageLinks) -> None:
        """Keep the links of a page that is followed."""
        self._links[key] = links

    def of(self, record: PageRecord) -> PageLinks:
        """Return what a page linked to when it was last fetched whole."""
        if record.key not in self._links:
            self._links[record.key] = self._read(record)
        return self._links[record.key]

    def _read(self, record: PageRecord) -> PageLinks:
        found = self._archive.occurrences().to_table(
            columns=["target", "url"], filter=pc.field("visit") == record.visit
        )
        urls = dict(zip(found["target"].to_pylist(), found["url"].to_pylist(), strict=True))
        domains = tuple(map(registrable_domain, urls.values()))
        return PageLinks(tuple(urls), tuple(urls.values()), domains, ("",) * len(urls))
