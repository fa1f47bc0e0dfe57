"""Answers as they are kept in the open batch: the bytes of a visit, the state of its page, and what was missed."""

from dataclasses import dataclass, replace

from broadsheet.archive import FetchRecord, LinkRows, PageRecord, PageState, VisitReason
from broadsheet.base import statuses, urls
from broadsheet.base.reasons import Reason
from broadsheet.crawling.fetch_messages import FetchAnswer
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.page_visit import FRONTS, FoundLinks

#: What is sent back with every request must not be long, nor anything but text of one line.
MAX_VALIDATOR = 500


@dataclass(frozen=True, slots=True)
class AnsweredVisit:
    """A visit that was answered: the page that was asked for, for whom and why."""

    page: PageRecord
    source: str
    why: VisitReason
    answer: FetchAnswer
    #: What led to a visit of an article that was archived already.
    occasion: str = ""
    #: The page as its scripts left it, if that is what was read.
    rendered: bytes | None = None

    @property
    def is_front(self) -> bool:
        """Whether the page is followed as a home page or section."""
        return self.why in FRONTS

    @property
    def is_feed(self) -> bool:
        """Whether what was asked for is a feed or sitemap."""
        return self.why is VisitReason.FEED


class PageKeeper:
    """Writes what came of visits into the open batch."""

    def __init__(self, desk: Desk) -> None:
        """Take the desk, whose batch is written to."""
        self._desk = desk

    def keep(
        self,
        visit: AnsweredVisit,
        page: PageRecord,
        links: LinkRows | None = None,
        *,
        state: PageState = PageState.FETCHED,
        is_whole: bool = True,
    ) -> int:
        """Keep an answer with its bytes, its validators and what it links to; return the visit's number."""
        kept = self.visited(visit, links, page.key)
        answer = visit.answer.exchanges[-1]
        # Validators belong to the address that gave them, which is another one after a redirect; and to be told that a
        # page has not changed is of no use if nothing is known of it.
        is_direct = len(visit.answer.exchanges) == 1 and _is_same(page.url, visit.answer.url)
        fetch = FetchRecord(
            state=state,
            etag=_validator(answer.header("etag")) if is_direct and is_whole else None,
            last_modified=_validator(answer.header("last-modified")) if is_direct and is_whole else None,
            fetched_at=visit.answer.at,
        )
        self._desk.batch.page(page.with_fetch(fetch))
        return kept

    def keep_again(self, visit: AnsweredVisit) -> None:
        """Keep the answer that a page is as it was; one with a body brings its validators."""
        if visit.answer.status != statuses.NOT_MODIFIED:
            self.keep(visit, visit.page, state=visit.page.state)
            return
        self.visited(visit)
        fetch = replace(visit.page.fetch, attempts=0, fetched_at=visit.answer.at)
        self._desk.batch.page(visit.page.with_fetch(fetch))

    def visited(self, visit: AnsweredVisit, links: LinkRows | None = None, key: str | None = None) -> int:
        """Keep the bytes of an answer; return the visit's number."""
        exchanges = visit.answer.exchanges
        if visit.rendered is not None:
            exchanges = (*exchanges[:-1], replace(exchanges[-1], rendered=visit.rendered))
        return self._desk.batch.visit(
            page_key=key or visit.page.key,
            url=visit.answer.url,
            exchanges=exchanges,
            links=links,
            source=visit.source,
            why=visit.why,
        )

    def count_dropped(self, visit: AnsweredVisit, links: FoundLinks) -> None:
        """Count the links of a page that were left out."""
        for reason, number in links.dropped.items():
            self._desk.miss(visit.source, reason, number, url=visit.answer.url)

    def miss(self, visit: AnsweredVisit, reason: Reason, detail: str = "") -> None:
        """Count a page that could not be fetched, or was left out."""
        self._desk.miss(visit.source, reason, page=visit.page.key, url=visit.answer.request.url, detail=detail)


def without_validators(page: PageRecord) -> PageRecord:
    """Return a page that will be fetched whole: that it has not changed is of no use to a visit of another kind."""
    return replace(page, fetch=replace(page.fetch, etag=None, last_modified=None))


def _is_same(one: str, other: str) -> bool:
    return one == other or urls.normalise(one) == urls.normalise(other)


def _validator(value: str | None) -> str | None:
    is_safe = value is not None and len(value) <= MAX_VALIDATOR and value.isprintable()
    return value if is_safe else None
