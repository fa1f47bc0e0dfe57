"""What an archive knows of pages: addresses, what came of visits, what they are judged to be, and planned visits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.records import Kind, Verdict


class PageState(StrEnum):
    """What asking for a page brought: nothing yet, the page, nothing again and again, a 404, or another page's copy."""

    KNOWN = "known"
    FETCHED = "fetched"
    FAILED = "failed"
    GONE = "gone"
    DUPLICATE = "duplicate"


class VisitReason(StrEnum):
    """Why a page is visited."""

    HOME = "home page"
    SECTION = "section"
    CANDIDATE = "candidate"
    REVISION = "revision"
    RETRY = "retry"
    SECOND_LOOK = "second look"
    CONTINUATION = "continuation"
    FURTHER_PAGE = "further page"
    FEED = "feed"


#: How soon pages are visited among those that are due at the same time: home pages first, then feeds and sections, then
#: what may be a section, because it leads to articles.
PRIORITIES: Mapping[VisitReason, int] = {
    VisitReason.HOME: 20,
    VisitReason.FEED: 15,
    VisitReason.SECTION: 10,
    VisitReason.FURTHER_PAGE: 9,
    VisitReason.CANDIDATE: 0,
    VisitReason.RETRY: -1,
    VisitReason.REVISION: -2,
    VisitReason.SECOND_LOOK: -3,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRecord:
    """What came of asking for a page, and what is needed to ask again."""

    state: PageState = PageState.KNOWN
    #: Tries without success since the page was last fetched.
    attempts: int = 0
    etag: str | None = None
    last_modified: str | None = None
    fetched_at: datetime | None = None


#: The record of a page that was never asked for.
NEVER_FETCHED = FetchRecord()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRecord:
    """What a page was judged to be, when, and on what evidence: the probabilities that each kind of evidence gave."""

    verdict: Verdict
    at: datetime
    evidence: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Protect the evidence from later changes."""
        frozen = {
            name: each if isinstance(each, FrozenMapping) else FrozenMapping(each)
            for name, each in self.evidence.items()
        }
        object.__setattr__(self, "evidence", FrozenMapping(frozen))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """A page, and what is known of it: each part is stored and changes on its own."""

    key: str
    url: str
    first_seen: datetime | None = None
    #: The page that this one is a copy of, or claims to be.
    duplicate_of: str | None = None
    fetch: FetchRecord = NEVER_FETCHED
    judged: VerdictRecord | None = None

    def with_fetch(self, fetch: FetchRecord) -> "PageRecord":
        """Return the page with what came of asking for it."""
        return PageRecord(
            key=self.key,
            url=self.url,
            first_seen=self.first_seen,
            duplicate_of=self.duplicate_of,
            fetch=fetch,
            judged=self.judged,
        )

    def with_verdict(self, judged: VerdictRecord) -> "PageRecord":
        """Return the page with what it is judged to be."""
        return PageRecord(
            key=self.key,
            url=self.url,
            first_seen=self.first_seen,
            duplicate_of=self.duplicate_of,
            fetch=self.fetch,
            judged=judged,
        )

    @property
    def state(self) -> PageState:
        """What came of asking for the page."""
        return self.fetch.state

    @property
    def verdict(self) -> Verdict | None:
        """What the page is, if it was judged."""
        return self.judged.verdict if self.judged else None

    @property
    def kind(self) -> Kind | None:
        """The kind of the verdict, if there is one."""
        return self.judged.verdict.kind if self.judged else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFacts:
    """What a feed says of a page that it lists."""

    #: The key of the feed.
    feed: str
    title: str = ""
    published: datetime | None = None
    section: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """That a source leads to a page: since when, the page that first linked to it, and the longest link text."""

    source: str
    page: str
    first_seen: datetime
    found_on: str
    anchor: str = ""
    #: What the first feed that lists it says of it.
    listed: FeedFacts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEntry:
    """A page to visit for a source: when, why, and how soon among others that are due; `every` if again and again."""

    source: str
    page: str
    due: datetime
    reason: VisitReason
    priority: int = 0
    every: float | None = None


@dataclass(frozen=True, slots=True)
class ScheduledPage:
    """An entry of the agenda with its page."""

    entry: AgendaEntry
    page: PageRecord

    @property
    def url(self) -> str:
        """The page's address."""
        return self.page.url
