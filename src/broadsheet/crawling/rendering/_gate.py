"""Decide what one page may request from the network, and count what is refused."""

from collections import Counter
from urllib.parse import urlsplit

from broadsheet.crawling.rendering._loopback import loopback_addresses
from broadsheet.crawling.rendering._public_web import PublicWeb

ADDRESS = "address"
CONNECTION = "connection"
DIALOG = "dialog"
NAVIGATION = "navigation"
POPUP = "popup"
SCHEME = "scheme"
TOO_MANY = "too many requests"
TOO_MUCH = "too many bytes"
UNNEEDED = "not needed"
#: What a page loads from the web that never changes its text: it would only cost bandwidth.
NOT_LOADED = frozenset({"image", "media", "font"})


class Gate:
    """Check every request of a page, and again every connection that the browser opens."""

    def __init__(
        self, *, loopback: bool, max_requests: int, max_received: int, public: PublicWeb | None = None
    ) -> None:
        """Allow requests to this machine's loopback if `loopback` is set, to the public web if given, or to nothing."""
        self._loopback = loopback
        self._public = public
        self._max_requests = max_requests
        self._max_received = max_received
        self._connections = 0
        self.requests = 0
        #: Bytes that came over the network.
        self.received = 0
        self.blocked: Counter[str] = Counter()

    def objection(self, url: str) -> str | None:
        """Return why a URL may not be fetched, or None if it may."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return ADDRESS
        if parts.scheme not in {"http", "https"}:
            return SCHEME
        return None if self._may_ask(parts.hostname or "") else ADDRESS

    def admit(self, url: str, kind: str = "") -> bool:
        """Return whether a request for a kind of resource may be sent, and count it either way."""
        objection = self.objection(url)
        if objection is None and self._public is not None and kind in NOT_LOADED:
            objection = UNNEEDED
        if objection is None and self.requests >= self._max_requests:
            objection = TOO_MANY
        if objection:
            self.refuse(objection)
            return False
        self.requests += 1
        return True

    async def destinations(self, host: str) -> tuple[str, ...]:
        """Return the addresses that may be connected to for a host, none if the connection is refused.

        Redirects and web sockets are checked only here, so connections are limited separately.
        """
        is_over = self._connections >= self._max_requests
        addresses = () if is_over else await self._addresses(host)
        if not addresses:
            self.refuse(CONNECTION)
            return ()
        self._connections += 1
        return addresses

    def receive(self, size: int) -> bool:
        """Count bytes that came over the network, and return whether the page may still have them."""
        self.received += size
        if self.received > self._max_received:
            self.refuse(TOO_MUCH)
        return self.received <= self._max_received

    def refuse(self, reason: str) -> None:
        """Count a refusal."""
        self.blocked[reason] += 1

    def _may_ask(self, host: str) -> bool:
        is_ours = self._loopback and bool(loopback_addresses(host))
        return is_ours or (self._public is not None and self._public.may_ask(host))

    async def _addresses(self, host: str) -> tuple[str, ...]:
        ours = loopback_addresses(host) if self._loopback else ()
        return ours or (await self._public.addresses(host) if self._public else ())
