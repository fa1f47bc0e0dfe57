"""Names being looked up: each takes a thread for as long as its server takes, so sources share the threads fairly."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from broadsheet.base.domains import registrable_domain
from broadsheet.crawling.turns import in_turn

#: Lookups at once in all, and for one source; one that nobody waits for any more still has its thread.
MOST_LOOKUPS, MOST_FOR_ONE = 64, 4
#: The source for which a connection is being made.
ASKING: ContextVar[str] = ContextVar("asking", default="")


@implementer(IHostResolution)
class _Queued:
    """A lookup that has not begun, or is told of by the one that has."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: whoever gives up does not listen any more."""


@dataclass(frozen=True, slots=True)
class _Lookup:
    """A lookup to begin, and until when anybody waits for it."""

    begin: Callable[[Any], Any]
    receiver: Any
    resolution: _Queued
    until: float


@implementer(IHostnameResolver)
class FairResolver:
    """Begins lookups source by source, of each only a few at once."""

    def __init__(self, resolver: Any, patience: float, monotonic: Callable[[], float]) -> None:  # noqa: ANN401 - zope's interfaces are no types
        """Share a resolver; whoever has waited for `patience` seconds has given up."""
        self._resolver = resolver
        self._patience = patience
        self._monotonic = monotonic
        self._queues: OrderedDict[str, deque[_Lookup]] = OrderedDict()
        self._running: Counter[str] = Counter()

    def resolveHostName(  # noqa: N802 - Twisted names it so
        self,
        resolutionReceiver: Any,  # noqa: ANN401, N803 - Twisted names it so
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:  # noqa: ANN401
        """Give a receiver the addresses of a host, when its source's turn has come."""

        def begin(receiver: Any) -> Any:  # noqa: ANN401
            return self._resolver.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)

        lookup = _Lookup(begin, resolutionReceiver, _Queued(hostName), self._monotonic() + self._patience)
        self._queues.setdefault(ASKING.get() or registrable_domain(hostName), deque()).append(lookup)
        self._begin()
        return lookup.resolution

    def _begin(self) -> None:
        """Begin what may begin, one lookup of each source in turn."""
        for source, queue in in_turn(self._queues):
            if self._running.total() >= MOST_LOOKUPS:
                return
            while queue and self._running[source] < MOST_FOR_ONE:
                lookup = queue.popleft()
                if not queue:
                    del self._queues[source]
                if lookup.until < self._monotonic():
                    _give_up(lookup)
                    continue
                self._running[source] += 1
                lookup.begin(_Receiver(lookup.receiver, lambda source=source: self._end(source)))  # type: ignore[misc]
                break

    def _end(self, source: str) -> None:
        self._running[source] -= 1
        if not self._running[source]:
            del self._running[source]
        self._begin()


def _give_up(lookup: _Lookup) -> None:
    lookup.receiver.resolutionBegan(lookup.resolution)
    lookup.receiver.resolutionComplete()


@implementer(IResolutionReceiver)
class _Receiver:
    """Passes on what was found, and tells when that is all."""

    def __init__(self, receiver: Any, end: Callable[[], None]) -> None:  # noqa: ANN401
        self._receiver = receiver
        self._end = end

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803 - Twisted names it so
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: ANN401, N802 - Twisted names it so
        self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted names it so
        try:
            self._receiver.resolutionComplete()
        finally:
            self._end()
