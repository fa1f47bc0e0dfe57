"""A page's links: where each leads, what it says, and the collection in which it stands."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.document.columns import Ints
from broadsheet.document.link_collections import LinkCollections, collect

if TYPE_CHECKING:
    from broadsheet.document.document import Document


class Links:
    """One row per link occurrence in document order, and one per distinct target.

    A hundred thousand links to ten pages cost ten resolutions: `target` gives each occurrence's row in `urls`, `keys`
    and `domains`, -1 where it leads to no page (`mailto:`, `javascript:`, …).
    """

    def __init__(self, document: "Document") -> None:
        """Resolve the links of a document and group them."""
        self._document = document
        self.base = base_url(document)
        self.node: Ints = document.hrefs.node
        self.collections: LinkCollections
        self.collection: Ints
        self.position: Ints
        self.collections, self.collection, self.position = collect(document.nodes, document.hrefs)
        self.urls: tuple[str, ...]
        self.target: Ints
        self.urls, self.target = _resolve(document, self.base)

    def __len__(self) -> int:
        """Return the number of link occurrences."""
        return len(self.node)

    def url(self, row: int) -> str | None:
        """Return where a link leads, absolute and safe to fetch; None where it leads to no page."""
        target = int(self.target[row])
        return None if target < 0 else self.urls[target]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The lossy identity of each distinct target, see `urls.key`."""
        return tuple(map(urls.key, self.urls))

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """The registrable domain of each distinct target."""
        return tuple(map(registrable_domain, self.urls))

    def anchor(self, row: int) -> str:
        """Return the text of a link, white space collapsed; where it has none, the `alt` of its first image."""
        node = int(self.node[row])
        if text := " ".join(self._document.text(node).split()):
            return text
        images = self._document.rows("img")
        first = int(np.searchsorted(images, node))
        if first < len(images) and images[first] < self._document.nodes.end[node]:
            return " ".join(str(self._document.element(int(images[first])).get("alt", "")).split())
        return ""

    def path(self, row: int) -> str:
        """Return the XPath of a link, with the index of each element among its like."""
        return self._document.path(int(self.node[row]))

    def generalised_path(self, row: int) -> str:
        """Return the names of the elements from the root to a link, without indices."""
        return self._document.generalised_path(int(self.node[row]))


def base_url(document: "Document") -> str | None:
    """Return what the page's relative links are relative to: its first `base` with an `href`, or else its own URL."""
    for element in document.elements("base"):
        if href := element.get("href"):
            return urls.resolve(str(href), document.url) or document.url
    return document.url


def _resolve(document: "Document", base: str | None) -> tuple[tuple[str, ...], Ints]:
    starts, ends = document.hrefs.start.tolist(), document.hrefs.end.tolist()
    text = document.columns.href_text
    rows: dict[str, int] = {}
    known: dict[bytes, int] = {}
    target = np.empty(len(starts), np.int32)
    for link, (start, end) in enumerate(zip(starts, ends, strict=True)):
        href = text[start:end]
        row = known.get(href)
        if row is None:
            url = urls.resolve(href.decode(), base)
            row = known[href] = -1 if url is None else rows.setdefault(url, len(rows))
        target[link] = row
    return tuple(rows), target
