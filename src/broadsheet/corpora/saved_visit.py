"""One visit of a page that was saved, with all that is known of its links."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.link_collections import collect_paths
from broadsheet.sources.link_history import LinkVisit
from broadsheet.sources.source_links import SourceLinks

_INDEX = re.compile(r"\[\d+\]")
#: The key of an address; the same addresses come again and again.
key_of = lru_cache(maxsize=1 << 16)(urls.key)


def document_links(document: Document) -> list[tuple[str, str, str]]:
    """Return the addresses, paths and texts of the links of a page that lead somewhere."""
    links = document.links
    return [(url, links.path(place), links.anchor(place)) for place in range(len(links)) if (url := links.url(place))]


@dataclass(frozen=True, slots=True, eq=False)
class SavedVisit:
    """One visit of a page, with the addresses, texts and paths of its links."""

    visit: LinkVisit
    urls: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    @classmethod
    def of(cls, page: str, at: float, snapshot: int, links: Iterable[tuple[str, str, str]] | None) -> "SavedVisit":
        """Make a visit of a page, given by its key, from the addresses, paths and texts of its links.

        None stands for a page that could not be fetched.
        """
        if links is None:
            return cls(LinkVisit(page, at, snapshot, None))
        kept = [(url, path, " ".join(text.split())) for url, path, text in links if url.startswith("http")]
        addresses, paths, texts = zip(*kept, strict=True) if kept else ((), (), ())
        visit = LinkVisit(page, at, snapshot, [key_of(url) for url in addresses], *collect_paths(paths))
        return cls(visit, addresses, texts, tuple(_INDEX.sub("", path) for path in paths))

    def add_to(self, links: SourceLinks) -> None:
        """Count the visit."""
        links.add(self.visit, self.urls, self.anchors, self.paths)
