"""What a crawler is asked for and what it returns."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.exchange import Exchange
from broadsheet.base.reasons import Reason


@dataclass(frozen=True, slots=True)
class Request:
    """A page to fetch, conditionally if it has validators (`etag`, `last_modified`).

    `tag` means nothing to the crawler and comes back with the outcome. Among requests to the same host, higher
    priorities go first. `source` names whom the request counts against: sources share the crawler fairly, and a
    request without one counts against the site of its URL. A request is not sent before `not_before`; one that has
    not begun by `not_after` is dropped and gets no outcome. `number` tells requests apart that are otherwise the same.
    Without `verify_tls`, the certificate of the URL's own site need not be valid; those of other sites, to which it may
    redirect, must be.
    """

    url: str
    tag: str = ""
    etag: str | None = None
    last_modified: str | None = None
    not_before: datetime | None = None
    priority: int = 0
    source: str = ""
    not_after: datetime | None = None
    number: int = 0
    verify_tls: bool = True


@dataclass(frozen=True, slots=True)
class FetchAnswer:
    """A response of any status; `content` is free of content encodings, and empty for a 304.

    `url` is the URL after redirects. `exchanges` are all HTTP exchanges in order, redirects first.
    """

    request: Request
    url: str
    status: int
    content: bytes
    exchanges: tuple[Exchange, ...]
    #: What robots.txt of the site that was asked names as its sitemaps, if robots.txt is obeyed.
    sitemaps: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        """When the response was complete."""
        return self.exchanges[-1].at


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without a usable response: `reason` is a short name to count by, `detail` a line for people."""

    request: Request
    at: datetime
    reason: Reason
    detail: str
    exchanges: tuple[Exchange, ...] = ()

    @property
    def message(self) -> str:
        """What happened, phrased to follow the URL."""
        return f"cannot be fetched ({self.reason}): {self.detail}"


Outcome = FetchAnswer | Failure
#: Called once with every outcome; returns what to fetch next, or an awaitable of it. While one outcome is awaited, the
#: crawl goes on.
Decide = Callable[[Outcome], Iterable[Request] | Awaitable[Iterable[Request]]]
#: Called from time to time; returns more to fetch.
Wake = Callable[[], Iterable[Request]]
#: Called when a request is about to begin; returns whether it is still wanted. One that is not gets no outcome.
IsWanted = Callable[[Request], bool]
#: Returns whether to go on when nothing is left to fetch, because `wake` may return something later.
IsLasting = Callable[[], bool]


def always_wanted(request: Request) -> bool:
    """Want every request; the default."""
    del request
    return True


def never_lasting() -> bool:
    """End when nothing is left to fetch; the default."""
    return False
