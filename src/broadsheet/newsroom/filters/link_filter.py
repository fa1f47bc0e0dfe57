"""Note what a front links to."""

from typing import TYPE_CHECKING

from broadsheet.base import reasons
from broadsheet.newsroom.page_links import link_rows, page_links
from broadsheet.newsroom.page_visit import FoundLinks, PageVisit
from broadsheet.reading import find_pagination

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings

#: How many of the feeds that a page names are looked at, the first ones.
MAX_FEEDS = 50


class LinkFilter:
    """Collects the links of pages that are followed, and of those that were judged to be sections."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Take the limits on the links of one page."""
        self._quotas = settings.quotas

    def apply(self, visit: PageVisit) -> None:
        """Write the links, and count those beyond the limits."""
        if not visit.is_front:
            return
        document = visit.parsed()
        targets = page_links(document, self._quotas.max_page_links)
        rows = link_rows(document, self._quotas.max_page_rows)
        occurrences = int((document.links.target >= 0).sum())
        dropped = {
            **document.links.dropped,
            reasons.OVER_PAGE_LINKS: targets.dropped,
            reasons.OVER_PAGE_ROWS: occurrences - len(rows),
        }
        pagination = find_pagination(document)
        visit.links = FoundLinks(
            rows,
            targets,
            {reason: number for reason, number in dropped.items() if number},
            pagination.next if pagination else None,
            tuple(feed.url for feed in document.metadata.feeds)[:MAX_FEEDS],
        )
