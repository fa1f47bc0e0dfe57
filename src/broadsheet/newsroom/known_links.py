"""The links of pages that are followed, in memory: a page that did not change is not read again."""

from collections import OrderedDict

from broadsheet.archive import Store
from broadsheet.base.domains import registrable_domain
from broadsheet.newsroom.page_links import PageLinks

#: Links in memory, of all pages together: each takes a few hundred bytes.
MAX_LINKS = 300_000


class KnownLinks:
    """The links of followed pages as they were last fetched, as many as there is room for."""

    def __init__(self, archive: Store, most: int = MAX_LINKS) -> None:
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
