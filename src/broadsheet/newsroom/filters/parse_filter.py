"""Parse the decoded page."""

from typing import TYPE_CHECKING

from broadsheet.document import Document
from broadsheet.newsroom.page_visit import PageVisit

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings


class ParseFilter:
    """Turns the page into a document."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Take the limits of a document."""
        self._limits = settings.limits

    def apply(self, visit: PageVisit) -> None:
        """Parse the page; one that exceeds a limit is dropped."""
        if visit.decoded is None:
            raise RuntimeError("the page is not decoded yet: name `decode` before `parse` in newsroom.filters")
        visit.document = Document(visit.decoded, visit.fetched.url, self._limits, visit.fetched.at)
