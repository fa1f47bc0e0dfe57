"""A page's links: their targets, their anchor texts and the collections they belong to."""

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.lazy import lazy
from broadsheet.base.reasons import Reason
from broadsheet.document._node_paths import NodePaths
from broadsheet.document.columns import Columns, Ints
from broadsheet.document.link_collections import LinkCollections, collect

#: How much is resolved at most; only hostile pages exceed this, and the links they lose are counted.
MAX_HREFS = 50_000
MAX_HREF_BYTES = 8_192
MAX_BYTES_OF_HREFS = 4_000_000
#: Hosts that have to be converted to ASCII, which takes up to half a millisecond each.
MAX_FOREIGN_HOSTS = 1_000
MAX_BASE_CHARACTERS = 2_048
MAX_ANCHOR_BYTES = 10_000
MAX_IMAGES = 10
# The host of an href, with anything that may precede it.
_AUTHORITY = re.compile(rb"[\x00-\x20]*+(?:https?:|[/\\]{2})[/\\]*+[^/\\?#]*+", re.IGNORECASE).match


class Links:
    """One row per link occurrence in document order, and one per distinct target.

    `target` is each occurrence's row in `urls`, `keys` and `domains`, or -1 if the link does not lead to a page
    (`mailto:`, `javascript:`, …). Resolving a hundred thousand links to ten pages thus takes ten resolutions.
    """

    def __init__(self, columns: Columns, paths: NodePaths, base: str | None) -> None:
        """Resolve the links against `base` and group them."""
        self._columns = columns
        self._paths = paths
        self.base = base
        self.node: Ints = columns.hrefs.node
        self.collections: LinkCollections
        self.collection: Ints
        self.position: Ints
        self.collections, self.collection, self.position = collect(columns.nodes, columns.hrefs)
        self.urls: tuple[str, ...]
        self.target: Ints
        #: Number of links not resolved because they are too long or too many, by reason.
        self.dropped: Mapping[Reason, int]
        self.urls, self.target, self.dropped = _resolve(columns, base)

    def __len__(self) -> int:
        """Return the number of link occurrences."""
        return len(self.node)

    def url(self, row: int) -> str | None:
        """Return a link's target as an absolute URL that is safe to fetch, or None if it does not lead to a page."""
        target = int(self.target[row])
        return None if target < 0 else self.urls[target]

    @lazy
    def keys(self) -> tuple[str, ...]:
        """The lossy key of each distinct target, see `urls.key`."""
        return tuple(map(urls.key, self.urls))

    @lazy
    def domains(self) -> tuple[str, ...]:
        """The registrable domain of each distinct target."""
        return tuple(map(registrable_domain, self.urls))

    def anchor(self, row: int) -> str:
        """Return a link's text with white space collapsed, or else the first `alt` text of its images."""
        node = int(self.node[row])
        start, end = int(self._columns.nodes.text_start[node]), int(self._columns.nodes.text_end[node])
        # Links may nest, so each of many could contain the whole page's text; a real one never has this much.
        text = self._columns.text[start : min(end, start + MAX_ANCHOR_BYTES)].decode(errors="ignore")
        return " ".join(text.split()) or self._image_text(node)

    def _image_text(self, node: int) -> str:
        first = int(np.searchsorted(self._images, node))
        for image in self._images[first : first + MAX_IMAGES].tolist():
            if image >= self._columns.nodes.end[node]:
                break
            if text := " ".join((self._columns.attributes.get(image, "alt") or "").split()):
                return text
        return ""

    @lazy
    def _images(self) -> Ints:
        return self._columns.rows("img")

    def path(self, row: int) -> str:
        """Return the XPath of a link, with the index of each element among its siblings of the same name."""
        return self._paths.path(int(self.node[row]))

    def generalised_path(self, row: int) -> str:
        """Return the names of the elements from the root to a link, without indices."""
        return self._paths.generalised(int(self.node[row]))


def find_base(columns: Columns, url: str | None) -> str | None:
    """Return the URL to resolve relative links against: the first `base` element's, or else the page's own."""
    for row in columns.rows("base").tolist():
        if href := columns.attributes.get(row, "href"):
            return (urls.resolve(href, url) if len(href) <= MAX_BASE_CHARACTERS else None) or url
    return url


def _resolve(columns: Columns, base: str | None) -> tuple[tuple[str, ...], Ints, Mapping[Reason, int]]:
    starts, ends = columns.hrefs.start.tolist(), columns.hrefs.end.tolist()
    text = columns.href_text
    rows: dict[str, int] = {}
    resolved: dict[bytes, int] = {}
    converted_hosts: set[bytes] = set()
    dropped: Counter[Reason] = Counter()
    base = base and urls.normalise(base)
    size = 0
    target = np.empty(len(starts), np.int32)
    for link, (start, end) in enumerate(zip(starts, ends, strict=True)):
        href = text[start:end]
        row = resolved.get(href)
        if row is None:
            row = -1
            if end - start > MAX_HREF_BYTES:
                dropped[reasons.HREF_TOO_LONG] += 1
            elif len(resolved) == MAX_HREFS:
                dropped[reasons.TOO_MANY_LINKS] += 1
            elif size + end - start > MAX_BYTES_OF_HREFS:
                dropped[reasons.TOO_MANY_LINK_BYTES] += 1
            elif not _within_host_limit(converted_hosts, href):
                dropped[reasons.TOO_MANY_FOREIGN_HOSTS] += 1
            else:
                size += end - start
                url = urls.resolve(href.decode(), base)
                row = resolved[href] = -1 if url is None else rows.setdefault(url, len(rows))
        target[link] = row
    return tuple(rows), target, MappingProxyType(dropped)


def _within_host_limit(converted_hosts: set[bytes], href: bytes) -> bool:
    """Return whether a link may be resolved: the number of hosts that need converting to ASCII is limited."""
    if href.isascii() and b"%" not in href:
        return True
    authority = _AUTHORITY(href.translate(None, b"\t\n\r"))
    if authority is None or (authority[0].isascii() and b"%" not in authority[0]):
        return True
    if len(converted_hosts) < MAX_FOREIGN_HOSTS:
        converted_hosts.add(authority[0])
    return authority[0] in converted_hosts
