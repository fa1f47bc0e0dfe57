"""Apply the address guard during name resolution, so that the address that was checked is the one connected to."""

from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from broadsheet.base.hosts import ascii_host
from broadsheet.crawling._address_guard import AddressGuard

#: Refused hosts are remembered, up to this many, to distinguish them from names that do not exist.
_MAX_REFUSED = 10_000


_LOOPBACK = "127.0.0.1"


@implementer(IHostnameResolver)
class GuardedResolver:
    """Resolve names, and IP addresses in any notation, with the system resolver, and drop refused addresses.

    Nothing is cached between connections: that is up to the system resolver.
    """

    def __init__(self, resolver: Any, guard: AddressGuard, refused: dict[str, str]) -> None:  # noqa: ANN401 - zope interfaces are not types
        """Wrap a resolver; hosts that have addresses, but no allowed one, are added to `refused`."""
        self._resolver = resolver
        self._guard = guard
        self._refused = refused

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        resolutionReceiver: Any,  # noqa: ANN401, N803 - Twisted's name
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:  # noqa: ANN401
        """Resolve a host to its allowed addresses."""
        guarded = _GuardedReceiver(resolutionReceiver, self._guard.allows, hostName, self._refused)
        name = _LOOPBACK if _is_localhost(hostName) else hostName
        return self._resolver.resolveHostName(guarded, name, portNumber, addressTypes, transportSemantics)


@implementer(IResolutionReceiver)
class _GuardedReceiver:
    """Forward allowed addresses only."""

    def __init__(self, receiver: Any, allows: Callable[[str], bool], host: str, refused: dict[str, str]) -> None:  # noqa: ANN401
        self._receiver = receiver
        self._allows = allows
        # Twisted has decoded the ASCII form of an internationalised name.
        self._host = ascii_host(host) or host.lower()
        self._refused = refused
        self._refused_address = ""
        self._has_allowed = False

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803 - Twisted's name
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: ANN401, N802 - Twisted's name
        if self._allows(address.host):
            self._has_allowed = True
            self._receiver.addressResolved(address)
        else:
            self._refused_address = address.host

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        if self._has_allowed or not self._refused_address:
            self._refused.pop(self._host, None)
        elif len(self._refused) < _MAX_REFUSED:
            self._refused[self._host] = self._refused_address
        self._receiver.resolutionComplete()


def _is_localhost(host: str) -> bool:
    """Return whether a name always means this machine (RFC 6761); not every resolver knows such names."""
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")
