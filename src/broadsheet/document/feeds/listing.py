"""What a feed or sitemap lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.reasons import Reason

FeedForm = Literal["rss", "atom", "json feed", "sitemap", "news sitemap", "sitemap index"]

_NOTHING: FrozenMapping[Reason, int] = FrozenMapping({})


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One item: the page it leads to, and what the feed says of that page.

    `changed` is when the page last changed; a plain sitemap says nothing about when a page was published.
    """

    url: str
    title: str = ""
    published: datetime | None = None
    changed: datetime | None = None
    section: str | None = None

    @property
    def dated(self) -> datetime | None:
        """When the page was published, or else when it last changed."""
        return self.published or self.changed


@dataclass(frozen=True, slots=True)
class Listing:
    """The items of a feed or sitemap, in its order, each address once; what was left out is counted by reason.

    The items of a sitemap index are sitemaps.
    """

    form: FeedForm
    items: tuple[ListedItem, ...]
    dropped: Mapping[Reason, int] = field(default=_NOTHING)

    @property
    def newest(self) -> datetime | None:
        """The latest date of an item."""
        return max((item.dated for item in self.items if item.dated is not None), default=None)
