"""The state that a request keeps across redirects and retries."""

from dataclasses import dataclass, field
from typing import cast

import scrapy

from broadsheet.base.domains import registrable_domain
from broadsheet.base.exchange import Exchange
from broadsheet.crawling.fetch_messages import Request

_KEY = "fetch_state"
#: Key of the seconds that the scheduler delays a request.
WAIT = "wait"


@dataclass(slots=True)
class FetchState:
    """One request for a page, which may take several HTTP requests."""

    request: Request
    max_redirects: int
    exchanges: list[Exchange] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)
    tries: int = 0
    is_robots: bool = False
    #: What is wrong with the URL, if it is not a valid one; such a request is never sent.
    invalid: str = ""
    #: Whether an HTTP request was sent and has not been answered yet.
    is_in_flight: bool = False
    #: Bytes of the body received so far.
    received: int = 0
    #: What robots.txt names as the sitemaps of the first host.
    sitemaps: tuple[str, ...] = ()
    #: The site of the first HTTP request; on any other site the request is a guest.
    home: str = ""

    @property
    def source(self) -> str:
        """The source that the request counts against."""
        return self.request.source or self.home

    def verifies(self, host: str) -> bool:
        """Return whether the certificate of a host must be valid: only the site of the first request may be exempt."""
        return self.request.verify_tls or registrable_domain(host) != self.home

    @property
    def has_begun(self) -> bool:
        """Whether the first HTTP request has been made: such requests take precedence and may finish after a stop."""
        return bool(self.visited)


def attach_state(request: scrapy.Request, state: FetchState) -> scrapy.Request:
    """Attach a state to a request and return the request."""
    request.meta[_KEY] = state
    return request


def state_of(request: scrapy.Request) -> FetchState:
    """Return the state of a request."""
    return cast("FetchState", request.meta[_KEY])
