"""One visit of a page that was saved, with all that is known of its links."""

from dataclasses import dataclass

from broadsheet.sources.link_history import LinkVisit
from broadsheet.sources.source_links import SourceLinks


@dataclass(frozen=True, slots=True, eq=False)
class SavedVisit:
    """One visit of a page, with the addresses, texts and paths of its links."""

    visit: LinkVisit
    urls: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def add_to(self, links: SourceLinks) -> None:
        """Count the visit."""
        links.add(self.visit, self.urls, self.anchors, self.paths)
