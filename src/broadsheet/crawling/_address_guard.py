"""Guard against server-side request forgery: connect only to the public internet and to allowed networks."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

#: IPv6 prefixes that embed an IPv4 address in their last 32 bits.
_EMBEDDING_IPV4 = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
#: Site-local, documentation and discard-only networks, not all of which `is_global` knows.
_LOCAL = tuple(map(IPv6Network, ("64:ff9b:1::/48", "fec0::/10", "2001:db8::/32", "3fff::/20", "5f00::/16", "100::/64")))


class AddressGuard:
    """Decide which IP addresses may be connected to, including IPv4 addresses embedded in IPv6."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """Allow networks (`127.0.0.0/8`, `::1`) in addition to the public internet."""
        self._allowed = tuple(map(ip_network, allowed))

    def allows(self, text: str) -> bool:
        """Return whether an address may be connected to; a malformed address may not."""
        try:
            address = ip_address(text)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.scope_id is not None:
            return False
        return all(map(self._allows, _embedded_ipv4(address) or (address,)))

    def _allows(self, address: IPv4Address | IPv6Address) -> bool:
        if any(address.version == network.version and address in network for network in self._allowed):
            return True
        if isinstance(address, IPv6Address) and any(address in network for network in _LOCAL):
            return False
        return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _embedded_ipv4(address: IPv4Address | IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses embedded in an IPv6 address (mapped, NAT64, 6to4, Teredo), if any."""
    if isinstance(address, IPv4Address) or address in (IPv6Address("::"), IPv6Address("::1")):
        return ()
    if any(address in network for network in _EMBEDDING_IPV4):
        return (IPv4Address(int(address) & 0xFFFF_FFFF),)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    return address.teredo or ()
