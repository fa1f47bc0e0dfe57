"""The records that an archive keeps and gives back: frozen and typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.records import Article, Kind, Verdict
from broadsheet.base.source_settings import DEFAULT_SETTINGS, SourceSettings

SourceState = Literal["active", "paused", "removed"]
TombstoneScope = Literal["page", "source"]


class PageState(StrEnum):
    """What came of asking for a page: nothing yet, the page, nothing again and again, a 404, or another page's copy."""

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


class FeedStanding(StrEnum):
    """What a feed or sitemap is worth: how soon it is visited again depends on it."""

    #: Not judged yet.
    NEW = "new"
    GOOD = "good"
    #: Other feeds list all that it lists.
    REDUNDANT = "redundant"
    #: Home page and sections show what is newer.
    STALE = "stale"
    #: It lists pages of other sites.
    FOREIGN = "foreign"
    #: It lists what are not articles, or cannot be read.
    USELESS = "useless"
    #: A sitemap index, which lists sitemaps.
    INDEX = "index"


class EventKind(StrEnum):
    """What an event of the archive says."""

    NEW_ARTICLE = "new article"
    REVISION = "revision"
    DELETION = "deletion"
    MOVE = "move"
    RETURN = "return"
    SECTION_FOUND = "section found"
    SECTION_LOST = "section lost"
    SOURCE_FAILING = "source failing"
    SOURCE_BACK = "source back"
    PHASE = "phase"


#: Events after which an article is no longer at its address.
DEPARTURES = frozenset({EventKind.DELETION, EventKind.MOVE})

#: How soon home pages and sections are visited among pages that are due at the same time, by default.
HOME_PRIORITY, SECTION_PRIORITY = 20, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptNeed:
    """Whether fronts and articles of a source can only be read after their scripts have run; None: not tried."""

    fronts: bool | None = None
    articles: bool | None = None
    tried_at: datetime | None = None


class Phase(StrEnum):
    """Whether the sections of a source are still being looked for, or known and lived off."""

    EXPLORATION = "exploration"
    EXPLOITATION = "exploitation"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRecord:
    """The phase of a source, since when, and why; events of the kind `phase` are its history.

    `evidence` is what the last evaluation said, and `steady` in how many of them in a row the source could switch.
    `collections` is a sample of the link collections of its home page, by which a redesign is noticed, and `odd` how
    many visits in a row found others.
    """

    phase: Phase = Phase.EXPLORATION
    since: datetime | None = None
    because: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    steady: int = 0
    collections: tuple[str, ...] = ()
    odd: int = 0


#: A source of which nothing was evaluated yet.
NEW_PHASE = PhaseRecord()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A news source that is followed; `every` is the seconds between two visits of its home page."""

    key: str
    url: str
    name: str
    added_at: datetime
    state: SourceState = "active"
    every: float = 3600.0
    #: How often the home page was asked for.
    snapshots: int = 0
    #: The goal of the current crawl: the last snapshot, or the moment after which nothing is fetched.
    until_snapshot: int | None = None
    until: datetime | None = None
    #: How that goal was worded: the same words again mean the same goal.
    goal: str | None = None
    #: When all targets of the source were last judged together.
    reviewed_at: datetime | None = None
    #: What the user set for it.
    settings: SourceSettings = DEFAULT_SETTINGS
    #: What was learned of its scripts.
    scripts: ScriptNeed = ScriptNeed()
    phase: PhaseRecord = NEW_PHASE


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRecord:
    """What came of asking for a page, and what is needed to ask again."""

    state: PageState = PageState.KNOWN
    #: Tries without success since the page last came.
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
class FeedRecord:
    """A feed or sitemap that a source has, or may have, and what it was judged to be worth."""

    source: str
    page: str
    #: The key of the page that names it, or how else it was found.
    found_on: str
    found_at: datetime
    #: `rss`, `atom`, `json feed`, `sitemap`, `news sitemap` or `sitemap index`; None before it was read.
    form: str | None = None
    standing: FeedStanding = FeedStanding.NEW
    #: Why it has that standing, in words.
    judged: str = ""
    #: When it last listed something new.
    newest: datetime | None = None
    #: How many items it had.
    items: int = 0
    #: Whether it says when its items changed; None if that is not known.
    tells_changes: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontRecord:
    """What the visits to a home page or section have shown, and what follows for its pace.

    `new` and `first` count articles that came to it, and those of them that nothing else had shown, in `hours` of
    average intensity; what is long ago counts less. `stays` are the hours for which the last articles stayed that left.
    """

    source: str
    page: str
    articles: int = 0
    hours: float = 0.0
    new: float = 0.0
    first: float = 0.0
    stays: tuple[float, ...] = ()
    #: How many pages of its list the last visit had to look at.
    depth: int = 1
    #: When it last showed an article that was new on it.
    last_new: datetime | None = None
    #: What set its pace.
    set_by: str = ""
    #: How many articles a day are expected to come and go between visits; None if nothing is known.
    expected_missed: float | None = None
    #: How often nothing of the visit before was left, so that something in between may have been missed.
    gaps: int = 0
    last_gap: datetime | None = None
    #: When it was given up, and why; it is not followed again for some time.
    left_at: datetime | None = None
    left_because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEntry:
    """A page to visit for a source: when, why, and how soon among others that are due; `every` if again and again."""

    source: str
    page: str
    due: datetime
    reason: VisitReason
    priority: int = 0
    every: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEvent:
    """Something that happened to a page of a source; a source's own events have its home page."""

    kind: EventKind
    at: datetime
    source: str
    page: str
    #: Plain values that depend on the kind, such as the title of an article or where it moved to.
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: Its number in the archive, in the order of commits; 0 before it is committed.
    id: int = 0

    def __post_init__(self) -> None:
        """Protect the details from later changes."""
        object.__setattr__(self, "detail", FrozenMapping(self.detail))


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadRecord:
    """A run over the archived pages with other models: how far it came, in the order of keys, and what it changed."""

    name: str
    began_at: datetime
    finished_at: datetime | None = None
    last_page: str = ""
    #: Numbers and examples, in plain values that JSON knows.
    done: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A page or source that was forgotten: its key and address, when, and the reason that was given."""

    key: str
    url: str
    at: datetime
    scope: TombstoneScope = "page"
    because: str = ""


class OrderKind(StrEnum):
    """What an order asks for."""

    ADD = "add"
    PAUSE = "pause"
    RESUME = "resume"
    REMOVE = "remove"
    SET = "set"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order; `source` is an address or a key, and `values` are plain values such as settings.

    One that was taken has `taken_at`, and either a `result`, which says what was done, or an `error`, which says why
    nothing was.
    """

    what: OrderKind
    at: datetime
    source: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    #: Its number in the archive; 0 before it is placed.
    id: int = 0
    taken_at: datetime | None = None
    result: str | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        """Protect the values from later changes."""
        object.__setattr__(self, "values", FrozenMapping(self.values))


@dataclass(frozen=True, slots=True)
class ScheduledPage:
    """An entry of the agenda with its page."""

    entry: AgendaEntry
    page: PageRecord

    @property
    def url(self) -> str:
        """The page's address."""
        return self.page.url


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where a WARC record lies: its file, and which bytes of it are the record."""

    warc: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """One version of an article, the page it was read from, and where that lies."""

    article: Article
    key: str
    source: str
    version: int
    visit: int
    fetched_at: datetime
    warc: str
    offset: int
    length: int
    model: str | None
    #: When the archived page was read again, if that gave this version; None if the publisher did.
    reread_at: datetime | None = None
    #: The key of the first article that tells its story, which near-duplicates share; None for a very short text.
    story: str | None = None

    @property
    def place(self) -> RecordPlace:
        """Where the page lies that the article was read from."""
        return RecordPlace(self.warc, self.offset, self.length)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicate:
    """An article that tells the story of another one, and how alike their texts are."""

    key: str
    url: str
    source: str
    #: The share of the phrases of both texts that they have in common.
    resemblance: float
    #: The share of the shorter text that is in the longer one.
    containment: float


def _no_positions() -> NDArray[np.int32]:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class LinkRows:
    """The links of one page in columns: the target's key and address, the collection's identity, position and path.

    `version` says how the identities of collections were computed: those of different versions do not compare.
    """

    targets: Sequence[str] = ()
    urls: Sequence[str] = ()
    collections: Sequence[str] = ()
    positions: NDArray[np.int32] = field(default_factory=_no_positions)
    paths: Sequence[str] = ()
    anchors: Sequence[str] = ()
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse columns of different lengths."""
        object.__setattr__(self, "positions", np.asarray(self.positions, dtype=np.int32))
        columns = (self.targets, self.urls, self.collections, self.positions, self.paths, self.anchors)
        lengths = {len(column) for column in columns}
        if len(lengths) != 1 or self.positions.ndim != 1:
            raise ValueError(f"the columns of links must have the same length, not {sorted(lengths)}")

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.targets)
