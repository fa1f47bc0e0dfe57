"""Fair DNS lookups: each blocks a thread until its name server answers, so sources share the threads."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from broadsheet.base.domains import registrable_domain
from broadsheet.crawling._turns import round_robin

#: Concurrent lookups in total and per source; an abandoned lookup still occupies its thread.
MAX_LOOKUPS, MAX_LOOKUPS_PER_SOURCE = 64, 4
#: The source that the connection being made counts against.
CURRENT_SOURCE: ContextVar[str] = ContextVar("current_source", default="")


@implementer(IHostResolution)
class _QueuedResolution:
    """The handle of a lookup that may still be queued."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: a caller that cancels ignores the result."""


@dataclass(frozen=True, slots=True)
class _Lookup:
    """A queued lookup, and when its caller will have given up."""

    begin: Callable[[Any], Any]
    receiver: Any
    resolution: _QueuedResolution
    until: float


@implementer(IHostnameResolver)
class FairResolver:
    """Start lookups source by source, only a few per source at once."""

    def __init__(self, resolver: Any, timeout: float, monotonic: Callable[[], float]) -> None:  # noqa: ANN401 - zope interfaces are not types
        """Wrap a resolver; callers give up after `timeout` seconds."""
        self._resolver = resolver
        self._timeout = timeout
        self._monotonic = monotonic
        self._queues: OrderedDict[str, deque[_Lookup]] = OrderedDict()
        self._running: Counter[str] = Counter()

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        resolutionReceiver: Any,  # noqa: ANN401, N803 - Twisted's name
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:  # noqa: ANN401
        """Queue a lookup, which starts when it is its source's turn."""

        def begin(receiver: Any) -> Any:  # noqa: ANN401
            return self._resolver.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)

        lookup = _Lookup(begin, resolutionReceiver, _QueuedResolution(hostName), self._monotonic() + self._timeout)
        self._queues.setdefault(CURRENT_SOURCE.get() or registrable_domain(hostName), deque()).append(lookup)
        self._start_lookups()
        return lookup.resolution

    def _start_lookups(self) -> None:
        """Start as many lookups as allowed, one of each source in turn."""
        for source, queue in round_robin(self._queues):
            if self._running.total() >= MAX_LOOKUPS:
                return
            while queue and self._running[source] < MAX_LOOKUPS_PER_SOURCE:
                lookup = queue.popleft()
                if not queue:
                    del self._queues[source]
                if lookup.until < self._monotonic():
                    _complete_empty(lookup)
                    continue
                self._running[source] += 1
                lookup.begin(_NotifyingReceiver(lookup.receiver, lambda source=source: self._finish(source)))  # type: ignore[misc]
                break

    def _finish(self, source: str) -> None:
        self._running[source] -= 1
        if not self._running[source]:
            del self._running[source]
        self._start_lookups()


def _complete_empty(lookup: _Lookup) -> None:
    lookup.receiver.resolutionBegan(lookup.resolution)
    lookup.receiver.resolutionComplete()


@implementer(IResolutionReceiver)
class _NotifyingReceiver:
    """Forward the addresses, and call back on completion."""

    def __init__(self, receiver: Any, on_complete: Callable[[], None]) -> None:  # noqa: ANN401
        self._receiver = receiver
        self._on_complete = on_complete

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803 - Twisted's name
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: ANN401, N802 - Twisted's name
        self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        try:
            self._receiver.resolutionComplete()
        finally:
            self._on_complete()
