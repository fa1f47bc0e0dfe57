"""What a crawler is measured on: a site in virtual time whose articles are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Kind

Tier = Literal["links", "pages"]

#: Visits begin at multiples of this, so that crawlers see the same states of a page and a site answers each once.
GRAIN = timedelta(minutes=5)


class Page(Protocol):
    """A page that came: what it is, and the addresses on its own site that it links to, in their order.

    Both are found out when they are asked for. A feed or sitemap links to what it lists.
    """

    @property
    def kind(self) -> Kind:
        """What it is."""
        ...

    @property
    def links(self) -> tuple[str, ...]:
        """Where it leads."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request; `page` is None if the page does not exist or has not changed since the last request."""

    address: str
    at: datetime
    status: int
    page: Page | None = None
    #: With redirects, and the bytes of all bodies; what it would have been without conditional requests.
    requests: int = 1
    size: int = 0
    full_size: int = 0


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known about a site: when a front first linked to each article that counts, and its sections."""

    first_linked: Mapping[str, datetime]
    sections: frozenset[str]


class Ground(Protocol):
    """A site in virtual time. Addresses are identities (`urls.key`), so that no crawler has to compare spellings."""

    site: str
    #: Which sites it belongs to: `news web` or `replay`.
    family: str
    tier: Tier
    home: str
    #: Where its feeds and sitemaps are, as users of crawlers that need them find out by hand.
    feeds: tuple[str, ...]
    sitemaps: tuple[str, ...]
    start: datetime
    end: datetime
    #: What is asked for and first linked to before does not count: the crawlers settle in.
    counted_from: datetime

    @property
    def truth(self) -> Truth:
        """What is known about it."""
        ...

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Answer a request; `again` makes it conditional on a change since this address was last asked for."""
        ...

    def forget(self) -> None:
        """Forget what was asked for: another crawler begins."""
        ...

    def article(self, address: str, at: datetime) -> str | bool | None:
        """Return the address of the article that a page was; False if it was none, None if nobody knows."""
        ...


class Addresses:
    """The identities of the addresses of a site, and how each is spelled."""

    def __init__(self, home: str) -> None:
        """Take the site from its home page."""
        self._domain = registrable_domain(home)
        self._spelled: dict[str, str] = {}
        self._keys: dict[str, str | None] = {}

    def key(self, url: str) -> str | None:
        """Return the identity of a URL; None if it is on another site."""
        if url not in self._keys:
            key = urls.key(url) if registrable_domain(url) == self._domain else None
            self._keys[url] = key
            if key is not None:
                self._spelled.setdefault(key, url)
        return self._keys[url]

    def own(self, targets: "tuple[str, ...] | list[str]") -> tuple[str, ...]:
        """Return the identities of those targets that are on the site, each once."""
        return tuple(dict.fromkeys(key for url in targets if (key := self.key(url)) is not None))

    def url(self, key: str) -> str:
        """Return a URL of an identity, spelled as it was first seen."""
        return self._spelled[key]


def on_grain(at: datetime) -> datetime:
    """Return the next moment at which visits begin."""
    past = at - at.replace(hour=0, minute=0, second=0, microsecond=0)
    return at + (-past) % GRAIN
