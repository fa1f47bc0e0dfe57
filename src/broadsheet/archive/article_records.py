"""Archived articles, and where their pages are."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article


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
