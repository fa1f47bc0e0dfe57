"""Recognise this machine's loopback without a resolver, so that no name can be made to point elsewhere."""

from ipaddress import IPv4Network, IPv6Address, ip_address

_LOOPBACK = IPv4Network("127.0.0.0/8")
_LOOPBACK_6 = IPv6Address("::1")


def loopback_addresses(host: str) -> tuple[str, ...]:
    """Return the addresses to connect to for a host on this machine's loopback, none for any other host.

    The only names accepted are `localhost` and its subdomains (RFC 6761); IPv6 addresses that embed an IPv4 address
    are not accepted.
    """
    name = host.removeprefix("[").removesuffix("]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return (str(_LOOPBACK[1]), str(_LOOPBACK_6))
    try:
        address = ip_address(name)
    except ValueError:
        return ()
    is_loopback = address == _LOOPBACK_6 or (address.version == 4 and address in _LOOPBACK)
    return (str(address),) if is_loopback else ()
