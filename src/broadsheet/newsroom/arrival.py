"""The work on a page that came in: what it links to, what it is, and its article, or the reason why there is none.

It knows nothing of the archive and the crawl, so it can be done in this process or in another: a question and its
answer are plain values, and a document never leaves the process that made it.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, Self, TypeAlias

from broadsheet.archive import LinkRows
from broadsheet.base import reasons
from broadsheet.base.errors import InputError
from broadsheet.base.limits import Limits
from broadsheet.base.quotas import Quotas
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Article, Verdict
from broadsheet.crawling.fetch_messages import FetchAnswer
from broadsheet.crawling.media import media_type, not_a_page
from broadsheet.document import Document, parse
from broadsheet.newsroom.judge import Judge
from broadsheet.newsroom.newsroom_errors import NoPage
from broadsheet.newsroom.page_links import PageLinks, link_rows, page_links
from broadsheet.reading import extract


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page that came whole, and what its link was judged to be; without that, only its own links are asked for."""

    content: bytes
    url: str
    content_type: str
    at: datetime
    link: Verdict | None = None

    @classmethod
    def of(cls, page: FetchAnswer, link: Verdict | None = None) -> Self:
        """Return what the work needs of a page."""
        return cls(page.content, page.url, page.exchanges[-1].header("content-type") or "", page.at, link)


@dataclass(frozen=True, slots=True)
class ArrivalLinks:
    """What a page links to, for the archive and for the round."""

    rows: LinkRows
    targets: PageLinks
    #: How many were left out, by reason.
    dropped: Mapping[Reason, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArrivalFindings:
    """What a page is, its article, and what it links to; links only where they were asked for, or it is a section."""

    verdict: Verdict | None
    article: Article | None
    links: ArrivalLinks | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A page that is not read: what it is counted as, and why."""

    counted: Reason
    reason: str


@dataclass(frozen=True, slots=True)
class Stumble:
    """A page that the work stumbled over: what it is counted as, what happened, and where that was."""

    counted: Reason
    reason: str
    trace: str = ""


Answer: TypeAlias = ArrivalFindings | Refusal | Stumble


class PageWorker(Protocol):
    """Does the work on one page after the other, wherever that is."""

    def ask(self, arrival: Arrival) -> Answer:
        """Return what was found in a page, or why nothing was."""
        ...


@dataclass(frozen=True, slots=True)
class PageWork:
    """The work itself, done in the process that asks."""

    judge: Judge
    limits: Limits
    reader: str
    quotas: Quotas = field(default_factory=Quotas)

    def ask(self, arrival: Arrival) -> Answer:
        """Return what was found in a page, or why nothing was."""
        try:
            return self._find(arrival)
        except InputError as error:
            return Refusal(error.reason, str(error))
        except MemoryError:
            # A process that met its cap is not to be trusted with the next page.
            raise
        except Exception as error:  # noqa: BLE001 - one odd page of one site must not end the crawl of all
            return Stumble(reasons.UNEXPECTED, described(error), "".join(traceback.format_exception(error)))

    def _find(self, arrival: Arrival) -> ArrivalFindings:
        document = _document(arrival, self.limits)
        if arrival.link is None:
            return ArrivalFindings(None, None, _links(document, self.quotas))
        article = extract(document, reader=self.reader, fetched_at=arrival.at)
        verdict = self.judge.page(document, article, arrival.link)
        return ArrivalFindings(verdict, article, _links(document, self.quotas) if verdict.kind == "section" else None)


def _links(document: Document, quotas: Quotas) -> ArrivalLinks:
    targets, rows = page_links(document, quotas.max_page_links), link_rows(document, quotas.max_page_rows)
    occurrences = int((document.links.target >= 0).sum())
    dropped = {
        **document.links.dropped,
        reasons.OVER_PAGE_LINKS: targets.dropped,
        reasons.OVER_PAGE_ROWS: occurrences - len(rows),
    }
    return ArrivalLinks(rows, targets, {reason: number for reason, number in dropped.items() if number})


def described(error: Exception) -> str:
    """Return what went wrong in one line, for an error that nobody has thought of."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _document(arrival: Arrival, limits: Limits) -> Document:
    """Parse a page that came whole; anything but HTML is refused."""
    reason = not_a_page(arrival.content, arrival.content_type)
    if reason is not None:
        kind = media_type(arrival.content_type) or "without a content type"
        raise NoPage(reason, f"the response is {'empty' if reason == reasons.EMPTY else kind}")
    return parse(arrival.content, arrival.url, content_type=arrival.content_type, limits=limits)
