"""The address guard, where names become addresses: what is connected to is what was checked, on every hop."""

from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from broadsheet.base.hosts import ascii_host
from broadsheet.crawling.address_guard import Addresses

#: Refused hosts are remembered to tell them from names that do not exist; no crawl needs more of them.
_MOST_REFUSED = 10_000


_LOOPBACK = "127.0.0.1"


@implementer(IHostnameResolver)
class GuardedResolver:
    """Resolves names, and addresses in any spelling, as the machine does, and keeps the addresses that are allowed.

    Nothing is remembered from one connection to the next: how long a name holds is the system's business.
    """

    def __init__(self, resolver: Any, addresses: Addresses, refused: dict[str, str]) -> None:  # noqa: ANN401 - zope's interfaces are no types
        """Guard a resolver; hosts that have addresses but none allowed are noted in `refused`."""
        self._resolver = resolver
        self._addresses = addresses
        self._refused = refused

    def resolveHostName(  # noqa: N802 - Twisted names it so
        self,
        resolutionReceiver: Any,  # noqa: ANN401, N803 - Twisted names it so
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:  # noqa: ANN401
        """Give a receiver the addresses of a host that may be connected to."""
        guarded = _GuardedReceiver(resolutionReceiver, self._addresses.allows, hostName, self._refused)
        asked = _LOOPBACK if _is_localhost(hostName) else hostName
        return self._resolver.resolveHostName(guarded, asked, portNumber, addressTypes, transportSemantics)


@implementer(IResolutionReceiver)
class _GuardedReceiver:
    """Passes on what is allowed."""

    def __init__(self, receiver: Any, allows: Callable[[str], bool], host: str, refused: dict[str, str]) -> None:  # noqa: ANN401
        self._receiver = receiver
        self._allows = allows
        # Twisted has turned what was in ASCII into the characters it stands for.
        self._host = ascii_host(host) or host.lower()
        self._refused = refused
        self._refusing = ""
        self._passed = False

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803 - Twisted names it so
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: ANN401, N802 - Twisted names it so
        if self._allows(address.host):
            self._passed = True
            self._receiver.addressResolved(address)
        else:
            self._refusing = address.host

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted names it so
        if self._passed or not self._refusing:
            self._refused.pop(self._host, None)
        elif len(self._refused) < _MOST_REFUSED:
            self._refused[self._host] = self._refusing
        self._receiver.resolutionComplete()


def _is_localhost(host: str) -> bool:
    """Say whether a name is one that always means this machine (RFC 6761); not every resolver knows them."""
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")
