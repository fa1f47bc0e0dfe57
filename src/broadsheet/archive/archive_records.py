"""The records that an archive keeps and gives back: frozen and typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.records import Article, Kind, Verdict

SourceState = Literal["active", "paused", "removed"]


class PageState(StrEnum):
    """How far a page has come: seen in a link, waiting, fetched, given up, gone from the web, or another's twin."""

    KNOWN = "known"
    QUEUED = "queued"
    FETCHED = "fetched"
    FAILED = "failed"
    GONE = "gone"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A news source that is followed; `every` is the seconds between two rounds."""

    key: str
    url: str
    name: str
    added_at: datetime
    state: SourceState = "active"
    every: float = 3600.0
    rounds: int = 0
    next_round: datetime | None = None
    #: The goal of a crawl that is under way: the last round, or the moment after which no round begins.
    until_round: int | None = None
    until: datetime | None = None
    #: How that goal was worded: the same words again mean the same goal.
    goal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """A page of a source: what it is, when it was seen, and what is needed to fetch it again.

    `digest` and `visit` are the archive's own: they name the last visit whose content was kept whole, and
    are set by the visits of a batch, whatever a record given to it says.
    """

    key: str
    url: str
    source: str
    state: PageState = PageState.KNOWN
    kind: Kind | None = None
    subtype: str | None = None
    probability: float | None = None
    probabilities: Mapping[str, float] | None = None
    reasons: tuple[str, ...] = ()
    model: str | None = None
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    first_round: int | None = None
    last_round: int | None = None
    rounds_seen: int = 0
    anchor: str | None = None
    attempts: int = 0
    due: datetime | None = None
    every: float | None = None
    etag: str | None = None
    last_modified: str | None = None
    digest: str | None = None
    fetched_at: datetime | None = None
    visit: int | None = None
    duplicate_of: str | None = None

    def __post_init__(self) -> None:
        """Let nobody change the probabilities behind the record's back."""
        if self.probabilities is not None:
            object.__setattr__(self, "probabilities", FrozenMapping(self.probabilities))

    def judged(self, verdict: Verdict) -> "PageRecord":
        """Return the page with what it was judged to be."""
        return replace(
            self,
            kind=verdict.kind,
            subtype=verdict.subtype,
            probability=verdict.probability,
            probabilities=verdict.probabilities,
            reasons=verdict.reasons,
            model=verdict.model,
        )

    @property
    def verdict(self) -> Verdict | None:
        """What the page is, if that was judged."""
        if self.kind is None or self.probability is None or self.model is None:
            return None
        return Verdict(self.kind, self.subtype, self.probability, self.probabilities or {}, self.reasons, self.model)


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

    @property
    def place(self) -> RecordPlace:
        """Where the page lies that the article was read from."""
        return RecordPlace(self.warc, self.offset, self.length)


def _no_positions() -> NDArray[np.int32]:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class LinkRows:
    """The links of one page in columns: the target's key and address, the collection's identity, position and path."""

    targets: Sequence[str] = ()
    urls: Sequence[str] = ()
    collections: Sequence[str] = ()
    positions: NDArray[np.int32] = field(default_factory=_no_positions)
    paths: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse columns of different lengths."""
        object.__setattr__(self, "positions", np.asarray(self.positions, dtype=np.int32))
        lengths = {len(self.targets), len(self.urls), len(self.collections), len(self.positions), len(self.paths)}
        if len(lengths) != 1 or self.positions.ndim != 1:
            raise ValueError(f"the columns of links must have the same length, not {sorted(lengths)}")

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.targets)
