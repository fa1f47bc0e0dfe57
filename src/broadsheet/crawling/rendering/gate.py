"""What one page may ask the network for, and a count of what it was refused."""

from collections import Counter
from urllib.parse import urlsplit

from broadsheet.crawling.rendering.loopback import loopback_addresses

ADDRESS = "address"
CONNECTION = "connection"
DIALOG = "dialog"
NAVIGATION = "navigation"
POPUP = "popup"
SCHEME = "scheme"
TOO_MANY = "too many requests"


class Gate:
    """Decides on every request of a page when it is made, and again on every connection when it is opened."""

    def __init__(self, *, loopback: bool, max_requests: int) -> None:
        """Let through what goes to this machine's loopback, if that is allowed, and nothing else."""
        self._loopback = loopback
        self._max_requests = max_requests
        self._connections = 0
        self.requests = 0
        self.blocked: Counter[str] = Counter()

    def objection(self, url: str) -> str | None:
        """Return why nothing may be fetched from an address, None where it may."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return ADDRESS
        if parts.scheme not in {"http", "https"}:
            return SCHEME
        return None if self._addresses(parts.hostname or "") else ADDRESS

    def admit(self, url: str) -> bool:
        """Say whether a request may go out, and count it either way."""
        objection = self.objection(url)
        if objection is None and self.requests >= self._max_requests:
            objection = TOO_MANY
        if objection:
            self.refuse(objection)
            return False
        self.requests += 1
        return True

    def destinations(self, host: str) -> tuple[str, ...]:
        """Return the addresses that a connection to a host may go to: none where it may not be opened.

        Redirects and web sockets come by here alone, so this has its own count of what is too many.
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
