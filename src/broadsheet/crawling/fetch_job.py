"""One crawl: what it was asked for, and how it is going."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.base.reasons import ADDRESS, NAME
from broadsheet.crawling.fetch_messages import Decide, Request
from broadsheet.crawling.refusals import RequestRefused, refusal
from broadsheet.crawling.stop import Ending, Stop
from broadsheet.crawling.waiting import Waiting


class SimulatedAnswer(Protocol):
    """What an invented web answers."""

    @property
    def status(self) -> int:
        """The status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        ...

    @property
    def body(self) -> bytes:
        """The body, with its content encoding on."""
        ...


#: Answers for a URL at a time, given the request's headers; an OSError is a network that fails.
Fetch = Callable[[str, datetime, Mapping[str, str]], SimulatedAnswer]


def nothing() -> None:
    """Do nothing, where a crawl is idle and nobody wants to know."""


@dataclass(slots=True)
class FetchJob:
    """What the spider, the scheduler and the middlewares of one crawl share."""

    requests: Iterable[Request]
    decide: Decide
    manners: Manners
    clock: Clock
    idle: Callable[[], None]
    counters: Counters
    stop: Stop
    waiting: Waiting = field(default_factory=Waiting)
    #: Hosts none of whose addresses may be connected to, with one of them.
    refused_hosts: dict[str, str] = field(default_factory=dict)
    #: Where answers come from in a simulation; live ones come from the web.
    fetch: Fetch | None = None
    error: BaseException | None = None
    abort: Callable[[], None] = nothing

    @property
    def is_finishing(self) -> bool:
        """Whether nothing new is to begin."""
        return self.stop.ending >= Ending.FINISH

    def is_late(self, request: Request) -> bool:
        """Say whether the time has passed until which a request may begin."""
        return request.not_after is not None and self.clock.now() > request.not_after

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be told."""
        return self.error is not None or self.stop.ending is Ending.NOW

    def refusal(self, host: str, error: BaseException) -> RequestRefused:
        """Return what an error of the downloader means for a host: one without a name, or one that may not be asked."""
        refused = refusal(error)
        if refused.reason == NAME and (address := self.refused_hosts.get(host)):
            return RequestRefused(ADDRESS, f"{host} is at {address}, which is not on the public internet")
        return refused

    def fail(self, error: BaseException) -> None:
        """End the crawl at once; whoever started it gets the first such error."""
        self.error = self.error or error
        self.abort()
