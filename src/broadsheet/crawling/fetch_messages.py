"""What a crawler is asked for and what it brings back; it never knows what a page means."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.exchange import Exchange
from broadsheet.base.reasons import Reason


@dataclass(frozen=True, slots=True)
class Request:
    """A page to fetch: not before its time, and not again if it is still as the validators say.

    `tag` means nothing to the crawler; whoever asked finds it on what comes back. Of what waits for the same
    host, higher priorities go first. `source` names who is charged for the request: sources share the crawler
    fairly, and requests without one are charged to the site of their URL. A request that has not begun by
    `not_after` is dropped and gets no outcome.
    """

    url: str
    tag: str = ""
    etag: str | None = None
    last_modified: str | None = None
    not_before: datetime | None = None
    priority: int = 0
    source: str = ""
    not_after: datetime | None = None


@dataclass(frozen=True, slots=True)
class FetchAnswer:
    """An answer, of whatever status; `content` is decoded of its content encoding, and empty for 304.

    `url` is where the page was found at last. `exchanges` are all that it took, redirects first, in order.
    """

    request: Request
    url: str
    status: int
    content: bytes
    exchanges: tuple[Exchange, ...]

    @property
    def at(self) -> datetime:
        """When the answer had come."""
        return self.exchanges[-1].at


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that got no answer, or none that may be kept: the reason in a word to count, and in a line."""

    request: Request
    at: datetime
    reason: Reason
    detail: str
    exchanges: tuple[Exchange, ...] = ()

    @property
    def told(self) -> str:
        """What happened, in words that follow the address."""
        return f"cannot be fetched ({self.reason}): {self.detail}"


Outcome = FetchAnswer | Failure
#: Is told every outcome once, and says what to fetch next.
Decide = Callable[[Outcome], Iterable[Request]]
