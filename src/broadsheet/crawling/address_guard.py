"""Which addresses may be connected to: those of the public internet, and the networks that were allowed."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

#: IPv6 addresses that only carry an IPv4 one in their last 32 bits.
_CARRYING_LAST = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
#: Networks that are for use within one site (or say nothing of where they lead), which `is_global` does not all know.
_LOCAL = tuple(map(IPv6Network, ("64:ff9b:1::/48", "fec0::/10", "2001:db8::/32", "3fff::/20", "5f00::/16", "100::/64")))


class Addresses:
    """Says yes or no to an address, however it is wrapped."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """Allow networks (`127.0.0.0/8`, `::1`) beside the public internet."""
        self._allowed = tuple(map(ip_network, allowed))

    def allows(self, text: str) -> bool:
        """Say whether an address may be connected to; what is no address may not."""
        try:
            address = ip_address(text)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.scope_id is not None:
            return False
        return all(self._allows(each) for each in (_carried(address) or (address,)))

    def _allows(self, address: IPv4Address | IPv6Address) -> bool:
        if any(address.version == network.version and address in network for network in self._allowed):
            return True
        if isinstance(address, IPv6Address) and any(address in network for network in _LOCAL):
            return False
        return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _carried(address: IPv4Address | IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that an IPv6 address leads to (mapped, NAT64, 6to4, Teredo), none for any other."""
    if isinstance(address, IPv4Address) or address in (IPv6Address("::"), IPv6Address("::1")):
        return ()
    if any(address in network for network in _CARRYING_LAST):
        return (IPv4Address(int(address) & 0xFFFF_FFFF),)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    return address.teredo or ()
