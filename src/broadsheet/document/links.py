"""A page's links: where each leads, what it says, and the collection in which it stands."""

from functools import cached_property

import numpy as np

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.document.columns import Columns, Ints
from broadsheet.document.link_collections import LinkCollections, collect
from broadsheet.document.paths import Element, generalised_path, path


class Links:
    """One row per link occurrence in document order, and one per distinct target.

    A hundred thousand links to ten pages cost ten resolutions: `target` gives each occurrence's row in `urls`, `keys`
    and `domains`, -1 where it leads to no page (`mailto:`, `javascript:`, …).
    """

    def __init__(self, columns: Columns, element: Element, base: str | None) -> None:
        """Resolve the links against `base` and group them."""
        self._columns = columns
        self._element = element
        self.base = base
        self.node: Ints = columns.hrefs.node
        self.collections: LinkCollections
        self.collection: Ints
        self.position: Ints
        self.collections, self.collection, self.position = collect(columns.nodes, columns.hrefs)
        self.urls: tuple[str, ...]
        self.target: Ints
        self.urls, self.target = _resolve(columns, base)

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
        if text := " ".join(self._columns.text_of(node).split()):
            return text
        first = int(np.searchsorted(self._images, node))
        if first < len(self._images) and self._images[first] < self._columns.nodes.end[node]:
            return " ".join(str(self._element(int(self._images[first])).get("alt", "")).split())
        return ""

    @cached_property
    def _images(self) -> Ints:
        return self._columns.rows("img")

    def path(self, row: int) -> str:
        """Return the XPath of a link, with the index of each element among its like."""
        return path(self._element(int(self.node[row])))

    def generalised_path(self, row: int) -> str:
        """Return the names of the elements from the root to a link, without indices."""
        return generalised_path(self._columns, self._element, int(self.node[row]))


def find_base(columns: Columns, element: Element, url: str | None) -> str | None:
    """Return what relative links of the page at `url` are relative to: its first `base` with an `href`, or itself."""
    for row in columns.rows("base"):
        if href := element(int(row)).get("href"):
            return urls.resolve(str(href), url) or url
    return url


def _resolve(columns: Columns, base: str | None) -> tuple[tuple[str, ...], Ints]:
    starts, ends = columns.hrefs.start.tolist(), columns.hrefs.end.tolist()
    text = columns.href_text
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
