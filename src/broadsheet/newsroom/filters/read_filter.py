"""Read the article of a page that may be one."""

from dataclasses import replace
from typing import TYPE_CHECKING

from broadsheet.archive import VisitReason
from broadsheet.newsroom.feed_items import complete
from broadsheet.newsroom.page_visit import LISTS, PageVisit
from broadsheet.reading import article_reading, readers

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings


class ReadFilter:
    """Reads title, dates, authors and text."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Take the name of the reader."""
        self._reader = settings.newsroom.reader

    def apply(self, visit: PageVisit) -> None:
        """Write the article of a page that was judged to be one, or continues one.

        A front is not read, whatever it looks like.
        """
        verdict, why = visit.verdict, visit.fetched.why
        is_article = verdict is not None and verdict.kind == "article" and why not in LISTS
        if not is_article and why is not VisitReason.CONTINUATION:
            return
        # By force: a page that is an article is archived, even if nothing but its title can be read.
        article = article_reading.extract(visit.parsed(), reader=self._reader, fetched_at=visit.fetched.at, force=True)
        if article is not None:
            visit.article = complete(replace(article, verdict=verdict), visit.fetched.listed)
        visit.model = readers.model_of(self._reader)
