"""Decide what one page may request from the network, and count what is refused."""

from collections import Counter
from urllib.parse import urlsplit

from broadsheet.crawling.rendering._loopback import loopback_addresses

ADDRESS = "address"
CONNECTION = "connection"
DIALOG = "dialog"
NAVIGATION = "navigation"
POPUP = "popup"
SCHEME = "scheme"
TOO_MANY = "too many requests"


class Gate:
    """Check every request of a page, and again every connection that the browser opens."""

    def __init__(self, *, loopback: bool, max_requests: int) -> None:
        """Allow requests to this machine's loopback if `loopback` is set, and nothing else."""
        self._loopback = loopback
        self._max_requests = max_requests
        self._connections = 0
        self.requests = 0
        self.blocked: Counter[str] = Counter()

    def objection(self, url: str) -> str | None:
        """Return why a URL may not be fetched, or None if it may."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return ADDRESS
        if parts.scheme not in {"http", "https"}:
            return SCHEME
        return None if self._addresses(parts.hostname or "") else ADDRESS

    def admit(self, url: str) -> bool:
        """Return whether a request may be sent, and count it either way."""
        objection = self.objection(url)
        if objection is None and self.requests >= self._max_requests:
            objection = TOO_MANY
        if objection:
            self.refuse(objection)
            return False
        self.requests += 1
        return True

    def destinations(self, host: str) -> tuple[str, ...]:
        """Return the addresses that may be connected to for a host, none if the connection is refused.

        Redirects and web sockets are checked only here, so connections are limited separately.
        """
        addresses = self._addresses(host)
        if not addresses or self._connections >= self._max_requests:
            self.refuse(CONNECTION)
            return ()
        self._connections += 1
        return addresses

    def refuse(self, reason: str) -> None:
        """Count a refusal."""
        self.blocked[reason] += 1

    def _addresses(self, host: str) -> tuple[str, ...]:
        return loopback_addresses(host) if self._loopback else ()
