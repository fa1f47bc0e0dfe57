"""Which addresses lie on this machine; no resolver is asked, so no name can be made to point elsewhere."""

from ipaddress import IPv4Network, IPv6Address, ip_address

_LOOPBACK = IPv4Network("127.0.0.0/8")
_LOOPBACK_6 = IPv6Address("::1")


def loopback_addresses(host: str) -> tuple[str, ...]:
    """Return the addresses to connect to for a host on this machine's loopback, none for any other host.

    `localhost` and the names below it are the only names that count, and mean what browsers take them for
    (RFC 6761); an IPv6 address that only wraps an IPv4 one does not count.
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
