"""The public web as the pages of a browser may reach it: through the crawler's own address guard."""

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import ip_address

from broadsheet.crawling._address_guard import AddressGuard


class PublicWeb:
    """Resolves names, and gives only the addresses that may be connected to."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        """Allow networks in addition to the public internet, as `manners.allowed_networks` does for the crawler."""
        self._guard = AddressGuard(networks)

    def may_ask(self, host: str) -> bool:
        """Return whether a request may be sent: a name is checked again when it is resolved, to connect to it."""
        name = host.removeprefix("[").removesuffix("]").rstrip(".").lower()
        try:
            ip_address(name)
        except ValueError:
            return bool(name) and name != "localhost" and not name.endswith(".localhost")
        return self._guard.allows(name)

    async def addresses(self, host: str) -> tuple[str, ...]:
        """Return the allowed addresses of a host; a name with one that is not allowed has none."""
        if not self.may_ask(host):
            return ()
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return ()
        addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
        return addresses if all(map(self._guard.allows, addresses)) else ()
