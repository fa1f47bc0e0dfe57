"""One crawl: its parameters and shared state."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from broadsheet.base.callbacks import do_nothing
from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.base.reasons import ADDRESS, NAME
from broadsheet.crawling._decisions import Decisions
from broadsheet.crawling._delayed_requests import DelayedRequests
from broadsheet.crawling._refusals import RequestRefused, refusal
from broadsheet.crawling.fetch_messages import (
    Decide,
    IsLasting,
    IsWanted,
    Request,
    Wake,
    always_wanted,
    never_lasting,
)
from broadsheet.crawling.stop import Ending, Stop


class SimulatedAnswer(Protocol):
    """A response of the simulated web."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        ...

    @property
    def body(self) -> bytes:
        """The body, still content-encoded."""
        ...


@runtime_checkable
class SlowAnswer(Protocol):
    """A response of the simulated web that does not come at once."""

    @property
    def seconds(self) -> float:
        """How long the server takes, in virtual time."""
        ...


#: Returns the response for a URL, a time and request headers; an OSError simulates a network failure.
Fetch = Callable[[str, datetime, Mapping[str, str]], SimulatedAnswer]


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
    wake: Wake | None = None
    #: Seconds of the clock between two calls of `wake`.
    every: float = 60.0
    is_wanted: IsWanted = always_wanted
    is_lasting: IsLasting = never_lasting
    decisions: Decisions = field(default_factory=Decisions)
    delayed: DelayedRequests = field(default_factory=DelayedRequests)
    #: Hosts without an allowed address, each with one of its refused addresses.
    refused_hosts: dict[str, str] = field(default_factory=dict)
    #: The simulated web; None in a live crawl.
    fetch: Fetch | None = None
    error: BaseException | None = None
    abort: Callable[[], None] = do_nothing

    def __post_init__(self) -> None:
        """Check the interval."""
        if not self.every > 0:
            raise ValueError(
                f"the interval between two wake-ups must be a positive number of seconds, not {self.every}"
            )

    @property
    def is_finishing(self) -> bool:
        """Whether no new request may begin."""
        return self.stop.ending >= Ending.FINISH

    def is_late(self, request: Request) -> bool:
        """Return whether a request is past its `not_after`."""
        return request.not_after is not None and self.clock.now() > request.not_after

    @property
    def is_over(self) -> bool:
        """Whether no more outcomes are to be reported."""
        return self.error is not None or self.stop.ending is Ending.NOW

    def refusal(self, host: str, error: BaseException) -> RequestRefused:
        """Translate an error of the downloader; a host that was refused by the address guard only seems unknown."""
        refused = refusal(error)
        if refused.reason != NAME or isinstance(error, RequestRefused):
            return refused
        if address := self.refused_hosts.get(host):
            place = address if host == address else f"{host} is at {address}, which"
            return RequestRefused(ADDRESS, f"{place} is not on the public internet")
        return RequestRefused(NAME, f"no address was found for {host}")

    def fail(self, error: BaseException) -> None:
        """End the crawl at once; `crawl` raises the first such error."""
        self.error = self.error or error
        self.abort()
