"""Drop what is not an HTML page, and decode what is."""

from typing import TYPE_CHECKING

from broadsheet.base import reasons
from broadsheet.base.errors import TooManyBytes
from broadsheet.crawling.media import media_type, not_a_page
from broadsheet.document.decoding import decode
from broadsheet.newsroom.newsroom_errors import Dropped
from broadsheet.newsroom.page_visit import PageVisit

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings


class DecodeFilter:
    """Decodes the page to UTF-8."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Take the limit on the length of a page."""
        self._max_bytes = settings.limits.max_bytes

    def apply(self, visit: PageVisit) -> None:
        """Decode the page, or drop it if it is a feed, a picture, …, empty, or too long."""
        page = visit.fetched
        reason = not_a_page(page.content, page.content_type)
        if reason is not None:
            kind = media_type(page.content_type) or "without a content type"
            raise Dropped(reason, f"the response is {'empty' if reason == reasons.EMPTY else kind}")
        if len(page.content) > self._max_bytes:
            raise TooManyBytes(len(page.content), self._max_bytes)
        visit.decoded = decode(page.content, content_type=page.content_type, url=page.url)
