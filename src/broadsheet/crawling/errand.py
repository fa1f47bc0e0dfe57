"""What a request carries with it from hop to hop and from try to try."""

from dataclasses import dataclass, field
from typing import cast

import scrapy

from broadsheet.base.exchange import Exchange
from broadsheet.crawling.fetch_messages import Request

_KEY = "errand"
#: Seconds that the scheduler holds a request back.
WAIT = "wait"


@dataclass(slots=True)
class Errand:
    """One request of ours on its way, whatever number of HTTP requests that takes."""

    request: Request
    max_redirects: int
    exchanges: list[Exchange] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)
    tries: int = 0
    is_robots: bool = False
    #: Whether an HTTP request of it was sent and has no answer yet.
    is_out: bool = False
    #: Bytes of the body that have come so far.
    received: int = 0
    #: The site that was asked first: anywhere else the errand is a guest.
    home: str = ""

    @property
    def source(self) -> str:
        """Who is charged for the errand."""
        return self.request.source or self.home

    @property
    def has_begun(self) -> bool:
        """Whether a first HTTP request was made already: what has begun goes first and is let finish."""
        return bool(self.visited)


def carrying(request: scrapy.Request, errand: Errand) -> scrapy.Request:
    """Return the request with the errand on it."""
    request.meta[_KEY] = errand
    return request


def errand_of(request: scrapy.Request) -> Errand:
    """Return what a request carries."""
    return cast("Errand", request.meta[_KEY])
