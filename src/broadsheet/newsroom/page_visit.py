"""A page that was fetched, on its way through the line of filters, and what they find in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from broadsheet.archive import ArticleForm, FeedFacts, LinkRows, VisitReason
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Article, Verdict
from broadsheet.crawling.fetch_messages import FetchAnswer
from broadsheet.document import Document
from broadsheet.document.decoding import Decoded
from broadsheet.document.feeds import Listing
from broadsheet.newsroom.page_links import PageLinks

#: Reasons for visits to pages whose links matter, whatever else they are.
FRONTS = frozenset({VisitReason.HOME, VisitReason.SECTION})
#: The same, with the further pages of fronts, which are visited once.
LISTS = FRONTS | {VisitReason.FURTHER_PAGE}

Probabilities: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FetchedVisit:
    """A page as the crawler fetched it, why it was, and what its address and the links to it say of its kind."""

    content: bytes
    url: str
    content_type: str
    at: datetime
    why: VisitReason
    address: Probabilities = field(default_factory=dict)
    #: The probabilities that follow from being listed in a feed; empty if no feed lists the page.
    feed: Probabilities = field(default_factory=dict)
    #: What that feed says of the page.
    listed: FeedFacts | None = None
    #: What the last review said by the links to the page; empty before.
    links: Probabilities = field(default_factory=dict)

    @classmethod
    def of(cls, answer: FetchAnswer, why: VisitReason, address: Probabilities) -> "FetchedVisit":
        """Return what the filters need of an answer."""
        content_type = answer.exchanges[-1].header("content-type") or ""
        return cls(answer.content, answer.url, content_type, answer.at, why, address)


@dataclass(frozen=True, slots=True)
class FoundLinks:
    """What a page links to: rows for the archive, targets for the agenda, and how many were left out, by reason."""

    rows: LinkRows
    targets: PageLinks
    dropped: Mapping[Reason, int] = field(default_factory=dict)
    #: The next page of the list, if it says so.
    next_page: str | None = None
    #: The feeds that the page names as its own.
    feeds: tuple[str, ...] = ()


@dataclass(slots=True)
class PageVisit:
    """What the filters know of a visit: each reads what the ones before it wrote, and adds its own.

    `notes` is for filters of your own: plain values that JSON knows, by the filter's name.
    """

    fetched: FetchedVisit
    decoded: Decoded | None = None
    document: Document | None = None
    #: What the page is: by its content and its address together.
    verdict: Verdict | None = None
    #: The probabilities that each kind of evidence gave.
    evidence: dict[str, Probabilities] = field(default_factory=dict)
    links: FoundLinks | None = None
    #: What a feed lists.
    listing: Listing | None = None
    article: Article | None = None
    #: What read the article.
    model: str | None = None
    notes: dict[str, object] = field(default_factory=dict)

    @property
    def is_front(self) -> bool:
        """Whether the page's links matter: it is followed, or was judged to be a section."""
        is_section = self.verdict is not None and self.verdict.kind == "section"
        return self.fetched.why in LISTS or (is_section and self.fetched.why is not VisitReason.CONTINUATION)

    def parsed(self) -> Document:
        """Return the document; a filter that stands before `parse` in the line cannot have it."""
        if self.document is None:
            raise RuntimeError("the page is not parsed yet: name this filter after `parse` in newsroom.filters")
        return self.document


@dataclass(frozen=True, slots=True)
class Findings:
    """What the filters found in a page; a document never leaves the process that parsed it."""

    verdict: Verdict | None = None
    evidence: Mapping[str, Probabilities] = field(default_factory=dict)
    links: FoundLinks | None = None
    listing: Listing | None = None
    article: Article | None = None
    #: The article as the archive stores it, which takes time that the writer has not got.
    form: ArticleForm | None = None
    notes: Mapping[str, object] = field(default_factory=dict)
    #: The page as its scripts left it, in UTF-8, if it had to be rendered to find this.
    rendered: bytes | None = None

    @classmethod
    def of(cls, visit: PageVisit) -> "Findings":
        """Return what is needed of a visit that passed all filters."""
        form = ArticleForm.of(visit.article, visit.model) if visit.article else None
        return cls(visit.verdict, visit.evidence, visit.links, visit.listing, visit.article, form, visit.notes)


@dataclass(frozen=True, slots=True)
class Drop:
    """A page that a filter dropped: what it is counted as, and why, in words that follow its address."""

    counted: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A page that the filters could not be applied to: what it is counted as, what happened, and where."""

    counted: Reason
    detail: str
    trace: str = ""


FilterResult: TypeAlias = Findings | Drop | Breakdown
